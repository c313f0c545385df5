import { Fault, isRecord, vendor } from '../../core/sdk/index.js'

/** Errors of the file itself, despite status 500. */
const FILE: Readonly<Record<number, string>> = {
  5002: 'The file is damaged.',
  5003: 'The file is protected by a password.',
  5006: 'The file is protected by a password.',
  5007: 'The file is protected by a password.',
  5008: 'The file could not be read by the vendor.',
  5009: 'The file could not be read by the vendor.',
  5010: 'The file could not be read by the vendor.',
  50010: 'The file could not be read by the vendor.',
}
/** The file contains nothing to convert to the requested format. */
const NOTHING = [5004, 5005, 50013, 50020]

/** ConvertAPI v2. Its error codes are more specific than the status. */
export const convertapi = vendor({
  id: 'convertapi',
  title: 'ConvertAPI',
  home: 'https://docs.convertapi.com',
  baseUrl: 'https://v2.convertapi.com',
  secrets: { token: 'CONVERTAPI_TOKEN' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('token')}` } }),
  fault: ({ status, body }) => {
    const code = isRecord(body) ? body['Code'] : undefined
    if (status < 400 || typeof code !== 'number') return undefined
    const file = FILE[code]
    if (file !== undefined) return new Fault('invalid', file)
    if (NOTHING.includes(code)) return new Fault('missing', 'The file has nothing to make that of.')
    if (code === 4014) return new Fault('quota', 'The balance of the ConvertAPI account is zero.')
    if (code === 5000) return new Fault('busy', 'ConvertAPI did not convert the file in time.')
    return undefined
  },
})

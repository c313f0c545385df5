import { Fault, isRecord, vendor, type FaultKind, type Reply } from '../../core/sdk/index.js'

/** CapSolver. Errors come with status 400, 401 or 200 and are recognised by `errorId`. */
export const capsolver = vendor({
  id: 'capsolver',
  title: 'CapSolver',
  home: 'https://docs.capsolver.com',
  baseUrl: 'https://api.capsolver.com',
  secrets: { api_key: 'CAPSOLVER_API_KEY' },
  auth: (secret) => ({ json: { clientKey: secret('api_key') } }),
  fault: errorOf,
})

/** https://docs.capsolver.com/en/guide/api-error/ */
const KINDS: Readonly<Record<string, FaultKind>> = {
  ERROR_KEY_DENIED_ACCESS: 'credentials',
  ERROR_ACCOUNT_BLOCKED: 'credentials',
  ERROR_ZERO_BALANCE: 'quota',
  ERROR_SETTLEMENT_FAILED: 'quota',
  ERROR_RATE_LIMIT: 'busy',
  ERROR_IP_BANNED: 'busy',
  ERROR_KEY_TEMP_BLOCKED: 'busy',
  ERROR_CAPTCHA_UNSOLVABLE: 'missing',
  ERROR_TASK_TIMEOUT: 'missing',
  ERROR_INVALID_TASK_DATA: 'invalid',
  ERROR_BAD_REQUEST: 'invalid',
  ERROR_TASK_NOT_SUPPORTED: 'invalid',
  ERROR_UNKNOWN_QUESTION: 'invalid',
}
/** Duration of a lock in seconds. */
const LOCKED: Readonly<Record<string, number>> = { ERROR_IP_BANNED: 1_800, ERROR_KEY_TEMP_BLOCKED: 300 }
const SENTENCES: Partial<Record<FaultKind, string>> = {
  credentials: 'CapSolver does not accept the key.',
  quota: 'The balance at CapSolver is used up.',
  busy: 'CapSolver accepts no captchas at the moment.',
  missing: 'The captcha could not be solved.',
  invalid: 'CapSolver does not accept this captcha; site_key may be wrong.',
}

function errorOf({ body }: Reply): Fault | undefined {
  if (!isRecord(body) || typeof body.errorId !== 'number' || body.errorId === 0) return undefined
  const code = typeof body.errorCode === 'string' ? body.errorCode.slice(0, 100) : `errorId ${String(body.errorId)}`
  const kind = KINDS[code] ?? 'broken'
  const seconds = LOCKED[code]
  return new Fault(kind, SENTENCES[kind] ?? 'CapSolver failed.', {
    internal: code,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  })
}

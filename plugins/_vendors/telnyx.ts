import { Fault, nullable, or, Type, vendor, type Reply } from '../../core/sdk/index.js'
import { refusedMessage } from './refused-message.js'
import { sendersOf } from './sender-settings.js'
import { textAt } from './text-at.js'

const FAILED = ['sending_failed', 'delivery_failed', 'expired']

/** Telnyx Messaging v2. Errors are lists; the first one is used. */
export const telnyx = vendor({
  id: 'telnyx',
  title: 'Telnyx',
  home: 'https://developers.telnyx.com/docs/messaging',
  baseUrl: 'https://api.telnyx.com/v2',
  secrets: { api_key: 'TELNYX_API_KEY' },
  settings: Type.Object({
    senders: sendersOf('Senders of the Telnyx account: numbers, short codes, or alphanumeric ids, which need messaging_profile_id.'),
    messaging_profile_id: or(
      nullable(Type.String({ minLength: 1, maxLength: 100, description: 'Messaging profile; null for none.' })),
      null,
    ),
  }),
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  fault: errorOf,
})

function errorOf({ status, body }: Reply): Fault | undefined {
  if (status < 300) {
    if (!FAILED.includes(textAt(body, 'data', 'to', '0', 'status'))) return undefined
    const code = textAt(body, 'data', 'errors', '0', 'code')
    return meaningOf(code, '') ?? new Fault('broken', 'Telnyx could not send the message.', { internal: `code ${code.slice(0, 20)}` })
  }
  const code = textAt(body, 'errors', '0', 'code')
  // Telnyx stopped waiting for the work, which may have completed.
  if (status === 408) return new Fault('busy', 'Telnyx did not finish in time.', { ambiguous: true, internal: `code ${code.slice(0, 20)}` })
  if (status === 404) return new Fault('credentials', 'Telnyx does not know what the account is set to send with.')
  const { pointer, parameter } = {
    pointer: textAt(body, 'errors', '0', 'source', 'pointer'),
    parameter: textAt(body, 'errors', '0', 'source', 'parameter'),
  }
  return status === 400 || status === 422 ? meaningOf(code, parameter || pointer) : undefined
}

/** Codes of requests (10…) and of deliveries (40…), by https://developers.telnyx.com/docs/messaging/messages/error-codes. */
function meaningOf(code: string, place: string): Fault | undefined {
  const internal = `code ${code}`
  switch (code) {
    case '10002':
    case '10016':
      return /\bfrom$/.test(place)
        ? refusedMessage('from_number', 'Telnyx reports that the sender is not a valid number.', { internal })
        : refusedMessage('to', 'Telnyx reports that this is not a valid number.', { final: true, internal })
    case '40001':
    case '40008':
    case '40012':
      return refusedMessage('to', 'Telnyx reports that this number cannot receive SMS.', { final: true, internal })
    case '40013':
      return refusedMessage('from_number', 'Telnyx cannot send from this sender.', { internal })
    case '40002':
    case '40003':
    case '40009':
    case '40015':
      return refusedMessage('message', 'Telnyx refused the text of the message.', { internal })
    case '10009':
    case '10010':
      return new Fault('credentials', 'Telnyx refused the key, or the account may not do this.', { internal })
    default:
      return undefined
  }
}

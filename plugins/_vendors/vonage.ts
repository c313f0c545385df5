import { Fault, Type, vendor, type Reply } from '../../core/sdk/index.js'
import { refusedMessage } from './refused-message.js'
import { basic, sendersOf } from './sender-settings.js'
import { textAt } from './text-at.js'

/** Vonage Messages API v1, signed with key and secret. Errors are RFC 7807; the end of `type` has the meaning. */
export const vonage = vendor({
  id: 'vonage',
  title: 'Vonage',
  home: 'https://developer.vonage.com/en/api/messages',
  baseUrl: 'https://api.nexmo.com',
  secrets: { api_key: 'VONAGE_API_KEY', api_secret: 'VONAGE_API_SECRET' },
  settings: Type.Object({ senders: sendersOf('Senders of the Vonage account: numbers or alphanumeric ids.') }),
  auth: (secret) => ({ headers: { authorization: basic(secret('api_key'), secret('api_secret')) } }),
  fault: errorOf,
})

function errorOf({ status, body }: Reply): Fault | undefined {
  if (status < 400 || status >= 500 || status === 429) return undefined
  const type = textAt(body, 'type').slice(0, 200)
  const word = /(?:#|\/)([a-z0-9-]{1,40})\/?$/i.exec(type)?.[1] ?? type
  const fault = meaningOf(word, textAt(body, 'invalid_parameters', '0', 'name'))
  if (fault !== undefined) return fault
  return status === 404 ? new Fault('credentials', 'Vonage does not offer this API to the account.') : undefined
}

/** Codes of messages and generic errors, by https://developer.vonage.com/api-errors/messages. */
function meaningOf(word: string, parameter: string): Fault | undefined {
  const internal = `error ${word}`
  switch (word) {
    case '1020':
      if (parameter === 'to') return refusedMessage('to', 'Vonage reports that this is not a valid number.', { final: true, internal })
      if (parameter === 'from') return refusedMessage('from_number', 'Vonage does not accept this sender.', { internal })
      return undefined
    case '1040':
      return refusedMessage('to', 'Vonage does not support the prefix of this number.', { internal })
    case '1050':
      return refusedMessage('to', 'The number is barred: it takes no messages.', { final: true, internal })
    case '1160':
      return refusedMessage('to', 'The Vonage account sends to numbers of its own list alone.', { internal })
    case '1120':
      return refusedMessage('from_number', 'Vonage cannot send from this sender.', { internal })
    case '1090':
      return refusedMessage('message', 'The message is too long for Vonage.', { internal })
    // Vonage lost the connection to the network, so it is unknown whether the message was sent.
    case '1100':
      return new Fault('busy', 'Vonage could not reach the network.', { ambiguous: true, internal })
    case '1000':
      return new Fault('busy', 'Vonage gets too many requests.', { internal })
    case '1070':
    case 'low-balance':
      return new Fault('quota', 'The Vonage account has no credit left.', { internal })
    case '1060':
    case '1080':
    case 'account-suspended':
    case 'forbidden':
    case 'unprovisioned':
    case 'invalid-api-key':
    case 'invalid-signature':
    case 'invalid-ip':
    case 'jwt-expired':
    case 'unauthorized':
      return new Fault('credentials', 'Vonage refused the credentials, or the account may not do this.', { internal })
    default:
      return undefined
  }
}

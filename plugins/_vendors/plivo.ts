import { Fault, Type, vendor, type Reply } from '../../core/sdk/index.js'
import { listAt, valueAt } from '../_shared/value-at.js'
import { refusedMessage } from './refused-message.js'
import { basic, sendersOf } from './sender-settings.js'

/** Plivo Messages. Errors are only sentences, so the status decides. */
export const plivo = vendor({
  id: 'plivo',
  title: 'Plivo',
  home: 'https://www.plivo.com/docs/messaging/api/message/send-a-message',
  baseUrl: 'https://api.plivo.com/v1',
  secrets: { auth_id: 'PLIVO_AUTH_ID', auth_token: 'PLIVO_AUTH_TOKEN' },
  settings: Type.Object({
    senders: sendersOf('Senders of the Plivo account: numbers, short codes, alphanumeric ids, or powerpacks (their UUID).'),
  }),
  auth: (secret) => ({ headers: { authorization: basic(secret('auth_id'), secret('auth_token')) } }),
  fault: errorOf,
})

function errorOf({ status, body }: Reply): Fault | undefined {
  if (status < 300) {
    const uuids = valueAt(body, 'message_uuid')
    const none = Array.isArray(uuids) && uuids.length === 0
    return none || listAt(body, 'invalid_number').length > 0
      ? refusedMessage('to', 'Plivo reports that this is not a valid number.', { final: true })
      : undefined
  }
  // Of this request only: the country is not enabled for the account; other countries may be.
  if (status === 403) return refusedMessage('to', 'The Plivo account may not send to this country.')
  if (status === 404) return new Fault('credentials', 'Plivo has no such account in PLIVO_AUTH_ID.')
  return undefined
}

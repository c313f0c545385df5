import { Fault, Type, vendor, type Reply } from '../../core/sdk/index.js'
import { refusedMessage } from './refused-message.js'
import { basic, sendersOf } from './sender-settings.js'
import { textAt } from './text-at.js'

/** Twilio Programmable Messaging, 2010-04-01. Most meanings are in `code`; some codes were split in 2024, so the status is read first. */
export const twilio = vendor({
  id: 'twilio',
  title: 'Twilio',
  home: 'https://www.twilio.com/docs/messaging/api/message-resource',
  baseUrl: 'https://api.twilio.com',
  secrets: { account_sid: 'TWILIO_ACCOUNT_SID', auth_token: 'TWILIO_AUTH_TOKEN' },
  settings: Type.Object({
    senders: sendersOf('Senders of the Twilio account for SMS: numbers, short codes, alphanumeric ids, or messaging services (MG…).'),
    whatsapp_senders: sendersOf('Numbers of the Twilio account that send by WhatsApp.'),
  }),
  auth: (secret) => ({ headers: { authorization: basic(secret('account_sid'), secret('auth_token')) } }),
  fault: errorOf,
})

function errorOf({ status, body }: Reply): Fault | undefined {
  if (status < 300) return failedAtOnce(body)
  if (status >= 500 || status === 429) return undefined
  if (status === 404) return new Fault('credentials', 'Twilio has no such account in TWILIO_ACCOUNT_SID.')
  return status === 400 ? meaningOf(textAt(body, 'code')) : undefined
}

/** A message reported as failed in the reply that created it: it was not sent. */
function failedAtOnce(body: unknown): Fault | undefined {
  if (!['failed', 'undelivered', 'canceled'].includes(textAt(body, 'status'))) return undefined
  const code = textAt(body, 'error_code')
  return meaningOf(code) ?? new Fault('broken', 'Twilio could not send the message.', { internal: `error_code ${code.slice(0, 20)}` })
}

/** Codes by https://www.twilio.com/docs/api/errors. */
function meaningOf(code: string): Fault | undefined {
  const internal = `code ${code}`
  switch (code) {
    case '20003':
      return new Fault('credentials', 'Twilio refused the credentials, or the account is suspended.', { internal })
    case '21211':
      return refusedMessage('to', 'Twilio reports that this is not a valid number.', { final: true, internal })
    case '21614':
    case '30006':
      return refusedMessage('to', 'Twilio reports that this number cannot receive SMS.', { final: true, internal })
    case '30005':
      return refusedMessage('to', 'Twilio reports that this number is not in use.', { final: true, internal })
    case '21610':
      return refusedMessage('to', 'The recipient has opted out of messages of this sender (STOP).', { final: true, internal })
    case '21408':
      return refusedMessage('to', 'The Twilio account may not send to this region.', { internal })
    case '21608':
      return refusedMessage('to', 'The Twilio account is on trial and sends to verified numbers alone.', { internal })
    case '21606':
    case '21612':
      return refusedMessage('from_number', 'Twilio cannot send from this sender to this number.', { internal })
    case '30007':
      return refusedMessage('message', 'The message was filtered as unwanted.', { internal })
    case '63016':
      return refusedMessage('to', 'The recipient has not written to the business number within the last 24 hours.', { internal })
    default:
      return undefined
  }
}

import { Fault, nullable, or, Type, vendor, type Reply } from '../../core/sdk/index.js'
import { refusedMessage } from './refused-message.js'
import { textAt } from './text-at.js'

const named = (pattern: string, description: string) => or(nullable(Type.String({ pattern, description })), null)

/** Limits of the app, the account, the number, spam protection and of one recipient; and a service that is down. */
const LIMITS = new Set(['4', '80007', '130429', '131048', '131056', '131016'])

/** Meta's own WhatsApp API. `code` has the meaning of an error; titles and subcodes are deprecated. */
export const whatsappCloud = vendor({
  id: 'whatsapp-cloud',
  title: 'WhatsApp Cloud API',
  home: 'https://developers.facebook.com/docs/whatsapp/cloud-api',
  baseUrl: 'https://graph.facebook.com/v23.0',
  secrets: { access_token: 'WHATSAPP_CLOUD_ACCESS_TOKEN' },
  settings: Type.Object({
    phone_number_id: named('^[0-9]{1,32}$', 'Id of the business number that sends, as Meta shows it; null for none.'),
    display_number: named('^\\+[1-9][0-9]{6,14}$', 'That business number itself, with a plus; null for none.'),
  }),
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('access_token')}` } }),
  fault: errorOf,
})

function errorOf({ status, body }: Reply): Fault | undefined {
  if (status < 400) return undefined
  const code = textAt(body, 'error', 'code')
  const internal = `code ${code.slice(0, 20)}`
  const number = Number(code)
  if (code === '3' || code === '10' || (number >= 200 && number <= 299))
    return new Fault('credentials', 'The token in WHATSAPP_CLOUD_ACCESS_TOKEN lacks a permission.', { internal })
  if (status >= 500) return undefined
  if (LIMITS.has(code))
    return status === 429 ? undefined : new Fault('busy', 'WhatsApp accepts no more messages for the moment.', { internal })
  switch (code) {
    // The outcome is unknown, whatever the status.
    case '1':
    case '2':
    case '131000':
      return new Fault('busy', 'WhatsApp failed for a reason that it does not name.', { ambiguous: true, internal })
    case '0':
    case '190':
      return new Fault('credentials', 'The token in WHATSAPP_CLOUD_ACCESS_TOKEN is invalid or has expired.', { internal })
    case '33':
      return new Fault('credentials', 'WhatsApp no longer has the number in CAPSTAN_WHATSAPP_CLOUD_PHONE_NUMBER_ID.', { internal })
    case '131031':
    case '368':
      return new Fault('credentials', 'The WhatsApp account is locked or restricted.', { internal })
    case '131042':
      return new Fault('quota', 'The WhatsApp account has a problem with its payments.', { internal })
    case '131026':
      return refusedMessage('to', 'The recipient cannot receive WhatsApp messages; send an SMS (channel auto).', { final: true, internal })
    case '131021':
      return refusedMessage('to', 'Sender and recipient are the same number.', { final: true, internal })
    case '131047':
      return refusedMessage('to', 'The recipient has not written to the business number within the last 24 hours.', { internal })
    default:
      return status === 404
        ? new Fault('credentials', 'WhatsApp does not have the number that is configured as sender.', { internal })
        : undefined
  }
}

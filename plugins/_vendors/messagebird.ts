import { Fault, oneOf, or, Type, vendor, type Reply } from '../../core/sdk/index.js'
import { refusedMessage } from './refused-message.js'
import { sendersOf } from './sender-settings.js'
import { textAt } from './text-at.js'

const FAILED = ['delivery_failed', 'sending_failed', 'expired']

/** Bird, formerly MessageBird, with three generations of API; the newest keys start with `bird_` and are bearer tokens. */
export const messagebird = vendor({
  id: 'messagebird',
  title: 'Bird (MessageBird)',
  home: 'https://bird.com/docs',
  baseUrl: 'https://rest.messagebird.com',
  hosts: { bird: 'https://api.bird.com' },
  secrets: { api_key: 'MESSAGEBIRD_API_KEY' },
  settings: Type.Object({
    generation: or(
      {
        ...oneOf('legacy', 'channels', 'api'),
        description:
          'API that the key is for: legacy (rest.messagebird.com), channels (workspaces of api.bird.com) or api (api.bird.com/v1).',
      },
      'legacy',
    ),
    workspace: or(
      Type.String({ pattern: '^[A-Za-z0-9-]{0,64}$', description: 'Workspace of the generation channels; empty for none.' }),
      '',
    ),
    senders: sendersOf('Senders of the Bird account: numbers or alphanumeric ids; of the generation channels ids of channels.'),
  }),
  auth: (secret) => {
    const key = secret('api_key')
    return { headers: { authorization: `${key.startsWith('bird_') ? 'Bearer' : 'AccessKey'} ${key}` } }
  },
  fault: errorOf,
})

function errorOf({ status, body }: Reply): Fault | undefined {
  if (status < 300) {
    const state = textAt(body, 'recipients', 'items', '0', 'status') || textAt(body, 'status')
    return FAILED.includes(state) ? new Fault('broken', 'Bird could not send the message.', { internal: `status ${state}` }) : undefined
  }
  if (status >= 500 || status === 429) return undefined
  // An idempotency key belongs to one message, so a conflict means that the first request arrived.
  if (status === 409) return new Fault('broken', 'Bird reports that it already received this message.', { ambiguous: true })
  if (status === 404) return new Fault('credentials', 'Bird does not have the configured workspace or channel.')
  return legacyMeaning(body) ?? placed(body)
}

/** Errors of the legacy API are a list with codes. */
function legacyMeaning(body: unknown): Fault | undefined {
  const internal = `code ${textAt(body, 'errors', '0', 'code').slice(0, 20)}`
  switch (textAt(body, 'errors', '0', 'code')) {
    case '2':
      return new Fault('credentials', 'Bird refused the key in MESSAGEBIRD_API_KEY.', { internal })
    case '25':
      return new Fault('quota', 'The Bird account has no balance left.', { internal })
    case '9':
      return fieldFault(textAt(body, 'errors', '0', 'parameter'), internal)
    default:
      return undefined
  }
}

/** Errors of the newest API are in `error` or at the top level. */
function placed(body: unknown): Fault | undefined {
  const type = textAt(body, 'error', 'type') || textAt(body, 'type')
  const internal = `${type} ${textAt(body, 'error', 'code')}`.slice(0, 100)
  return type === 'validation_error' ? fieldFault(textAt(body, 'error', 'param') || textAt(body, 'param'), internal) : undefined
}

function fieldFault(parameter: string, internal: string): Fault | undefined {
  if (['recipients', 'recipient', 'to'].includes(parameter))
    return refusedMessage('to', 'Bird reports that this is not a valid number.', { final: true, internal })
  if (['originator', 'from'].includes(parameter)) return refusedMessage('from_number', 'Bird does not accept this sender.', { internal })
  if (['body', 'text'].includes(parameter)) return refusedMessage('message', 'Bird does not accept this text.', { internal })
  return undefined
}

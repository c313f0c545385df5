import { provider, Type, type Call, type Static } from '../../../core/sdk/index.js'
import { messagebird as vendor } from '../../_vendors/messagebird.js'
import { smsSend, type Message } from '../contract.js'
import { senderFor, senderOf, withoutPlus, withPlus } from '../senders.js'

const reply = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: Type.Optional(Type.String()),
  originator: Type.Optional(Type.Union([Type.String(), Type.Number()])),
  sender: Type.Optional(Type.Object({ connector: Type.Optional(Type.Object({ identifierValue: Type.Optional(Type.String()) })) })),
  recipients: Type.Optional(
    Type.Object({
      items: Type.Optional(
        Type.Array(
          Type.Object({ recipient: Type.Optional(Type.Union([Type.Number(), Type.String()])), status: Type.Optional(Type.String()) }),
        ),
      ),
    }),
  ),
})
type Generation = Static<typeof vendor.settings>['generation']
const TAKEN = ['accepted', 'processing', 'scheduled', 'buffered', 'queued', 'sent']

/** One of the three APIs, by setting; only the newest supports an idempotency key. */
export const messagebirdSms = provider(smsSend, {
  vendor,
  rank: 40,
  needs: ['senders'],
  timeoutMs: 10_000,
  serves: (message, { settings }) =>
    senderOf(settings.senders, message) !== null && (settings.generation !== 'channels' || settings.workspace !== ''),
  run: async (message, { api, settings }) => {
    const sender = senderFor(settings.senders, message)
    const { generation, workspace } = settings
    const { id, status, originator, sender: by, recipients } = await api.json(callOf(generation, { message, sender, workspace }), reply)
    const { recipient, status: own } = recipients?.items?.[0] ?? {}
    const state = own ?? status ?? 'sent'
    const from = generation === 'channels' ? (by?.connector?.identifierValue ?? null) : String(originator ?? sender)
    return {
      message_id: id,
      to: recipient === undefined ? message.to : withPlus(String(recipient)),
      from: from === null ? null : withPlus(from),
      status: TAKEN.includes(state) ? 'sent' : state,
    }
  },
})

interface Order {
  readonly message: Message
  readonly sender: string
  readonly workspace: string
}

function callOf(generation: Generation, { message, sender, workspace }: Order): Call {
  const { to, message: text, reference } = message
  switch (generation) {
    case 'legacy':
      // `plain`, its default, would lose characters outside GSM-7.
      return {
        method: 'POST',
        path: '/messages',
        json: { originator: withoutPlus(sender), recipients: [withoutPlus(to)], body: text, datacoding: 'auto', reference },
      }
    case 'channels':
      return {
        method: 'POST',
        host: 'bird',
        path: `/workspaces/${encodeURIComponent(workspace)}/channels/${encodeURIComponent(sender)}/messages`,
        json: {
          receiver: { contacts: [{ identifierKey: 'phonenumber', identifierValue: to }] },
          body: { type: 'text', text: { text } },
          reference,
        },
      }
    case 'api':
      return { method: 'POST', host: 'bird', path: '/v1/sms', json: { to, from: sender, text, idempotency_key: reference } }
  }
}

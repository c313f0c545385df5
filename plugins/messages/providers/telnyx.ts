import { provider, Type } from '../../../core/sdk/index.js'
import { telnyx as vendor } from '../../_vendors/telnyx.js'
import { smsSend } from '../contract.js'
import { senderFor, senderOf } from '../senders.js'

const place = Type.Object({ phone_number: Type.Optional(Type.String()), status: Type.Optional(Type.String()) })
const reply = Type.Object({
  data: Type.Object({
    id: Type.String({ minLength: 1 }),
    to: Type.Optional(Type.Array(place)),
    from: Type.Optional(Type.Union([place, Type.Null()])),
    cost: Type.Optional(
      Type.Union([Type.Object({ amount: Type.Optional(Type.String()), currency: Type.Optional(Type.String()) }), Type.Null()]),
    ),
  }),
})
const TAKEN = ['queued', 'sending', 'sent', 'delivery_unconfirmed']

export const telnyxSms = provider(smsSend, {
  vendor,
  rank: 20,
  needs: ['senders'],
  timeoutMs: 10_000,
  serves: (message, { settings }) => senderOf(settings.senders, message) !== null,
  run: async (message, context) => {
    const { api, settings } = context
    const { messaging_profile_id: profile } = settings
    const from = senderFor(settings.senders, message)
    const json = { from, to: message.to, text: message.message, ...(profile === null ? {} : { messaging_profile_id: profile }) }
    const { data } = await api.json({ method: 'POST', path: '/messages', json }, reply)
    if (data.cost?.currency === 'USD') context.cost(Number(data.cost.amount), 'USD')
    const { phone_number: to = message.to, status = 'sent' } = data.to?.[0] ?? {}
    return { message_id: data.id, to, from: data.from?.phone_number ?? from, status: TAKEN.includes(status) ? 'sent' : status }
  },
})

import { provider, Type } from '../../../core/sdk/index.js'
import { vonage as vendor } from '../../_vendors/vonage.js'
import { smsSend } from '../contract.js'
import { senderFor, senderOf, withoutPlus } from '../senders.js'

const reply = Type.Object({ message_uuid: Type.String({ minLength: 1 }) })

/** The reply has neither state nor numbers; `client_ref` is only echoed, so it does not make a request idempotent. */
export const vonageSms = provider(smsSend, {
  vendor,
  rank: 30,
  needs: ['senders'],
  timeoutMs: 10_000,
  serves: (message, { settings }) => senderOf(settings.senders, message) !== null,
  run: async (message, { api, settings }) => {
    const { to, message: text, reference } = message
    const from = senderFor(settings.senders, message)
    const json = { channel: 'sms', message_type: 'text', to: withoutPlus(to), from: withoutPlus(from), text, client_ref: reference }
    const { message_uuid } = await api.json({ method: 'POST', path: '/v1/messages', json }, reply)
    return { message_id: message_uuid, to, from, status: 'sent' }
  },
})

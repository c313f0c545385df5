import { provider, Type } from '../../../core/sdk/index.js'
import { plivo as vendor } from '../../_vendors/plivo.js'
import { smsSend } from '../contract.js'
import { senderFor, senderOf, withoutPlus } from '../senders.js'

const reply = Type.Object({
  message_uuid: Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })]),
})
const POWERPACK = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Characters of `dst` other than digits are stripped there; which number of a powerpack sent the message is only known later. */
export const plivoSms = provider(smsSend, {
  vendor,
  rank: 50,
  needs: ['senders'],
  timeoutMs: 10_000,
  serves: (message, { settings }) => senderOf(settings.senders, message) !== null,
  run: async (message, context) => {
    const { api, settings } = context
    const sender = senderFor(settings.senders, message)
    const pool = POWERPACK.test(sender)
    const from = pool ? { powerpack_uuid: sender } : { src: withoutPlus(sender) }
    const path = `/Account/${encodeURIComponent(context.secret('auth_id'))}/Message/`
    const json = { ...from, dst: withoutPlus(message.to), text: message.message, type: 'sms' }
    const { message_uuid: uuids } = await api.json({ method: 'POST', path, json }, reply)
    const [id = ''] = typeof uuids === 'string' ? [uuids] : uuids
    return { message_id: id, to: message.to, from: pool ? null : sender, status: 'sent' }
  },
})

import { provider, Type } from '../../../core/sdk/index.js'
import { whatsappCloud as vendor } from '../../_vendors/whatsapp-cloud.js'
import { whatsappSend } from '../contract.js'
import { senderOf, withoutPlus, withPlus } from '../senders.js'

const reply = Type.Object({
  messages: Type.Array(Type.Object({ id: Type.String({ minLength: 1 }), message_status: Type.Optional(Type.String()) }), { minItems: 1 }),
  contacts: Type.Optional(Type.Array(Type.Object({ wa_id: Type.Optional(Type.String()) }))),
})
/** States in which Meta has accepted the message without sending it yet. */
const WAITING = ['held_for_quality_assessment', 'paused']

export const whatsappCloud = provider(whatsappSend, {
  vendor,
  rank: 10,
  needs: ['phone_number_id', 'display_number'],
  timeoutMs: 10_000,
  serves: (message, { settings: { display_number } }) => senderOf(display_number === null ? [] : [display_number], message) !== null,
  run: async ({ to, message, reference }, { api, settings: { phone_number_id, display_number } }) => {
    const json = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: withoutPlus(to),
      type: 'text',
      text: { body: message, preview_url: false },
      biz_opaque_callback_data: reference,
    }
    const { messages, contacts } = await api.json({ method: 'POST', path: `/${String(phone_number_id)}/messages`, json }, reply)
    const [{ id, message_status: status = 'accepted' } = { id: '' }] = messages
    const recipient = contacts?.[0]?.wa_id
    return {
      message_id: id,
      to: recipient === undefined ? to : withPlus(recipient),
      from: display_number,
      status: WAITING.includes(status) ? 'queued' : 'sent',
    }
  },
})

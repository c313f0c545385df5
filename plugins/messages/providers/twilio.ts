import { provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { twilio as vendor } from '../../_vendors/twilio.js'
import { smsSend, whatsappSend, type Message, type Taken } from '../contract.js'
import { senderFor, senderOf } from '../senders.js'

const reply = Type.Object({
  sid: Type.String({ minLength: 1 }),
  to: Type.Optional(Type.String()),
  from: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  status: Type.Optional(Type.String()),
})
/** States of a message that Twilio accepted and has not delivered yet. */
const TAKEN = ['accepted', 'scheduled', 'queued', 'sending', 'sent']
const SERVICE = /^MG[0-9a-f]{32}$/i
const PREFIX = 'whatsapp:'
const TRY_MS = 10_000

export const twilioSms = provider(smsSend, {
  vendor,
  rank: 10,
  needs: ['senders'],
  timeoutMs: TRY_MS,
  serves: (message, { settings }) => senderOf(settings.senders, message) !== null,
  run: (message, context) => {
    const sender = senderFor(context.settings.senders, message)
    const from: Record<string, string> = SERVICE.test(sender) ? { MessagingServiceSid: sender } : { From: sender }
    return send({ To: message.to, ...from, Body: message.message }, { context, message })
  },
})

export const twilioWhatsapp = provider(whatsappSend, {
  vendor,
  rank: 20,
  needs: ['whatsapp_senders'],
  timeoutMs: TRY_MS,
  serves: (message, { settings }) => senderOf(settings.whatsapp_senders, message) !== null,
  run: (message, context) => {
    const sender = senderFor(context.settings.whatsapp_senders, message)
    return send({ To: PREFIX + message.to, From: PREFIX + sender, Body: message.message }, { context, message })
  },
})

interface Order {
  readonly context: Pick<ProviderContext, 'api' | 'secret'>
  readonly message: Message
}

/** Twilio supports no idempotency key: a message that may have arrived is not sent again. */
async function send(form: Readonly<Record<string, string>>, { context, message }: Order): Promise<Taken> {
  const path = `/2010-04-01/Accounts/${encodeURIComponent(context.secret('account_sid'))}/Messages.json`
  const { sid, to, from, status = 'sent' } = await context.api.json({ method: 'POST', path, form }, reply)
  return { message_id: sid, to: plain(to) ?? message.to, from: plain(from), status: TAKEN.includes(status) ? 'sent' : status }
}

function plain(number: string | null | undefined): string | null {
  if (number === null || number === undefined || number === '') return null
  return number.startsWith(PREFIX) ? number.slice(PREFIX.length) : number
}

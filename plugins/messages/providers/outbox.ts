import { appendFile } from 'node:fs/promises'
import { Fault, provider } from '../../../core/sdk/index.js'
import { outbox as vendor } from '../../_vendors/outbox.js'
import { smsSend, whatsappSend, type Message, type Taken } from '../contract.js'

const NOTE = 'The message was written to the outbox of this gateway and not sent to anybody.'

type Context = { readonly settings: { readonly file: string | null }; note(remark: string): void }

export const outboxSms = provider(smsSend, {
  vendor,
  rank: 90,
  needs: ['file'],
  run: (message, context) => keep('sms', message, context),
})

export const outboxWhatsapp = provider(whatsappSend, {
  vendor,
  rank: 90,
  needs: ['file'],
  run: (message, context) => keep('whatsapp', message, context),
})

/** Appends a line to the file. A file that cannot be written is `broken`; nothing was sent then. */
async function keep(channel: 'sms' | 'whatsapp', { to, message, from, reference }: Message, context: Context): Promise<Taken> {
  const id = `outbox-${reference}`
  const line = JSON.stringify({ message_id: id, channel, to, from, message, at: new Date().toISOString() })
  try {
    await appendFile(String(context.settings.file), `${line}\n`, { mode: 0o600 })
  } catch (error) {
    throw new Fault('broken', 'The outbox cannot be written (CAPSTAN_OUTBOX_FILE).', { internal: String(error), cause: error })
  }
  context.note(NOTE)
  return { message_id: id, to, from, status: 'sent' }
}

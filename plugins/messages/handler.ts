import { Fault, handle, type HandlerContext } from '../../core/sdk/index.js'
import { randomUUID } from 'node:crypto'
import { messagesSend, smsSend, whatsappSend, type Message, type Taken } from './contract.js'
import { takeAll } from './limits/take-all.js'
import { numberOf, type RecipientNumber } from './number.js'
import { segmentsOf } from './segments.js'
import { accountSenders, maySendFrom } from './senders.js'
import { settings, type MessageSettings } from './settings.js'

type Context = HandlerContext<MessageSettings>

const WINDOW =
  'WhatsApp delivers free text only to people who wrote to the business number within the last 24 hours; to others it is silently dropped, although the message has an id.'

/**
 * Sends one message through one vendor. Messages refused before a vendor is called, or clearly refused by every
 * vendor, are not counted; a message that a vendor may have accepted stays counted.
 */
export const messagesHandler = handle(
  messagesSend,
  async ({ to, message: text, channel, from_number }, ctx) => {
    const port = channel === 'whatsapp' ? whatsappSend : smsSend
    const recipient = recipientOf(to, ctx)
    if (port === smsSend) assertLength(text, ctx)
    const senders = accountSenders(ctx.settings.account_senders, (id) => ctx.isAccount(id))
    const message: Message = { to, message: text, from: from_number, country: recipient.country, ...senders, reference: randomUUID() }
    assertSender(port, message, ctx)
    const giveBack = await takeAll(recipient, ctx)
    if (port === whatsappSend) ctx.note(WINDOW)
    return { channel: port === smsSend ? ('sms' as const) : ('whatsapp' as const), ...(await sent(port, message, { ctx, giveBack })) }
  },
  { settings },
)

/** Throws `invalid` for a country that the operator does not allow. */
function recipientOf(to: string, { settings: { countries } }: Context): RecipientNumber {
  const number = numberOf(to)
  // The contract's check has already refused it.
  if ('fault' in number) throw new Fault('invalid', `to ${number.fault}`, { loc: ['to'] })
  if (countries.includes(number.country)) return number
  const allowed = countries.length === 0 ? 'and no country is allowed yet' : `and messages go only to ${countries.join(', ')}`
  throw new Fault('invalid', `to is a number of ${number.country}, ${allowed} (plugins.messages.countries).`, {
    loc: ['to'],
    remedy: `Ask the operator to add ${number.country} to plugins.messages.countries (CAPSTAN_MESSAGES_COUNTRIES).`,
  })
}

function assertLength(text: string, ctx: Context): void {
  const { encoding, segments } = segmentsOf(text)
  const { max_segments } = ctx.settings
  if (segments > max_segments)
    throw new Fault(
      'invalid',
      `message takes ${String(segments)} segments of ${encoding}, and at most ${String(max_segments)} are sent (plugins.messages.max_segments).`,
      {
        loc: ['message'],
        remedy:
          encoding === 'UCS-2'
            ? 'Shorten it, or leave out what is not in GSM-7, such as emoji: such a segment has 67 characters instead of 153.'
            : 'Shorten it, or send it as several messages.',
      },
    )
  if (segments > 1) ctx.note(`The text is sent as ${String(segments)} segments of ${encoding}.`)
}

/**
 * Throws `invalid` for a sender that no vendor has in its settings or that the account may not use, and for a country
 * without a sender. The message is the same for another account's sender and for one that does not exist.
 */
function assertSender(port: typeof smsSend, message: Message, ctx: Context): void {
  const { from, country } = message
  const vendors = ctx.providers(port)
  const isAllowed = from === null || maySendFrom(from, message)
  if (isAllowed && (vendors.length === 0 || vendors.some(({ serves }) => serves(message)))) return
  const names = vendors.map(({ id }) => id).join(', ')
  if (from === null)
    throw new Fault(
      'invalid',
      `to is a number of ${country}, and this account has no sender for that country (senders of ${names}; plugins.messages.account_senders).`,
      { loc: ['to'], remedy: `Ask the operator for a sender of this account for ${country}.` },
    )
  throw new Fault(
    'invalid',
    `from_number is no sender of this account: it has to be one that the operator lists (senders of ${names}) and that is not reserved for another account (plugins.messages.account_senders).`,
    { loc: ['from_number'], remedy: 'Leave from_number out, or name a sender of this account.' },
  )
}

/** Sends it, and removes it from the counts when certainly no vendor accepted it. */
async function sent(
  port: typeof smsSend,
  message: Message,
  { ctx, giveBack }: { ctx: Context; giveBack: () => Promise<void> },
): Promise<Taken> {
  try {
    return await ctx.call(port, message)
  } catch (error) {
    // After anything but a Fault, such as the deadline, the outcome of the message is unknown.
    if (!Fault.is(error) || error.ambiguous) throw error
    await giveBack()
    if (error.kind !== 'invalid' || error.loc !== undefined) throw error
    throw new Fault('invalid', `to or message was refused: ${error.message}.`, { loc: ['to'], cause: error })
  }
}

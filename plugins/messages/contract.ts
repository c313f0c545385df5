import { capability, flat, nullable, oneOf, or, port, Type, type Static, type Violation } from '../../core/sdk/index.js'
import { numberOf } from './number.js'
import { segmentsOf } from './segments.js'
import { textFault } from './text.js'

const LONGEST = 1_600
const EXAMPLE = { to: '+491711234567', message: 'Your table is free from 7 pm.' }

const message = {
  to: Type.String({ description: 'Number of the recipient, E.164.' }),
  message: Type.String({ minLength: 1, maxLength: LONGEST }),
  /** The sender that the caller named, as it is written in the settings of the vendor; null leaves it to the vendor's settings. */
  from: nullable(Type.String()),
  /** Country of the recipient, ISO 3166-1, by which vendors choose the sender. */
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
  /** Senders that the account is limited to; null for all but `reserved`. */
  only: or(nullable(Type.Array(Type.String())), null),
  /** Senders that are reserved for other accounts. */
  reserved: or(Type.Array(Type.String()), []),
  /** Names this message alone: the idempotency key of vendors that take one, a reference at others. */
  reference: Type.String({ minLength: 1, maxLength: 100 }),
}
const taken = Type.Object({
  /** The vendor's id of the message. */
  message_id: Type.String({ minLength: 1 }),
  /** Number of the recipient, E.164, as the vendor gives it. */
  to: Type.String(),
  /** The sender; null where the vendor chooses it later. */
  from: nullable(Type.String()),
  /** `sent` once the vendor has accepted the message, else the state that it reports. */
  status: Type.String(),
})

/** One text to one number by SMS. A vendor that may have accepted it ends the call: it is not sent again. */
export const smsSend = port({ id: 'messages.sms', once: true, input: Type.Object(message), output: taken })

/** The same by WhatsApp, as free text. */
export const whatsappSend = port({ id: 'messages.whatsapp', once: true, input: Type.Object(message), output: taken })

export type Message = Static<typeof smsSend.input>
export type Taken = Static<typeof taken>

export const messagesSend = capability({
  id: 'messages.send',
  path: '/v1/messages/send',
  phrases: [
    { say: '* sms whatsapp notify text message phone number' },
    { say: 'send|write sms|text|message to {to} saying|that|with {message}' },
    { say: 'send|write sms|text|message|whatsapp to {to}' },
    { say: 'send {message} to {to}' },
    { say: 'text|message|sms {to} {message}' },
    { say: 'tell {to} by|via sms|text|whatsapp that {message}' },
    { say: 'tell {to} that {message}' },
    { say: 'send sms|message|text' },
    { say: 'sms' },
    { say: 'whatsapp', params: { channel: 'whatsapp' } },
  ],
  title: 'Send a message',
  description:
    'Sends a text to a telephone number by SMS or WhatsApp, never twice: when it is unknown whether a vendor accepted it, the call fails and ' +
    'says so. Only countries that the operator allows. WhatsApp delivers free text only to people who wrote to the business number within ' +
    'the last 24 hours. POST /v1/estimate shows how many segments an SMS takes.',
  once: true,
  input: Type.Object({
    to: Type.String({ minLength: 1, maxLength: 40, description: 'Number of the recipient, E.164: +491711234567.' }),
    message: Type.String({ minLength: 1, maxLength: LONGEST, description: 'The text.' }),
    channel: or({ ...oneOf('auto', 'whatsapp'), description: 'auto sends by SMS.' }, 'auto'),
    from_number: or(
      nullable(Type.String({ minLength: 1, maxLength: 40, description: 'One of the senders of this account; default: by country.' })),
      null,
    ),
  }),
  output: Type.Object({
    message_id: Type.String({ description: "The vendor's id of the message." }),
    channel: { ...oneOf('sms', 'whatsapp'), description: 'Channel that was used.' },
    to: Type.String({ description: 'Number of the recipient.' }),
    from: nullable(Type.String({ description: 'The sender; null where the vendor chooses it later.' })),
    status: Type.String({ description: 'sent once the vendor has accepted the message, else the state that it reports.' }),
  }),
  price: flat(1),
  work: 'light',
  timeoutMs: 30_000,
  uses: [smsSend, whatsappSend],
  requires: ({ channel }) => [channel === 'whatsapp' ? whatsappSend : smsSend],
  check: ({ to, message: text }) => [...numberFaults(to), ...textFaults(text)],
  details: ({ message: text, channel }) => (channel === 'whatsapp' ? {} : segmentsOf(text)),
  aliases: ['messages', 'sms'],
  parts: [
    { title: 'SMS', params: EXAMPLE },
    { title: 'WhatsApp', params: { ...EXAMPLE, channel: 'whatsapp' } },
  ],
  examples: [
    { title: 'An SMS', params: EXAMPLE },
    { title: 'A WhatsApp message', params: { ...EXAMPLE, channel: 'whatsapp' } },
  ],
})

function numberFaults(to: string): Violation[] {
  const number = numberOf(to)
  return 'fault' in number ? [{ loc: ['to'], msg: number.fault }] : []
}

function textFaults(text: string): Violation[] {
  const fault = textFault(text)
  return fault === null ? [] : [{ loc: ['message'], msg: fault }]
}

import { capability, flat, nullable, oneOf, or, port, Type, type Static, type Violation } from '../../core/sdk/index.js'
import { numberOf } from './number.js'
import { segmentsOf } from './segments.js'
import { textFault } from './text.js'

const LONGEST = 1_600
const EXAMPLE = { to: '+491711234567', message: 'Your table is free from 7 pm.' }

const message = {
  to: Type.String({ description: 'Phone number of the recipient, E.164.' }),
  message: Type.String({ minLength: 1, maxLength: LONGEST }),
  /** The sender chosen by the caller, as written in the vendor's settings; null to let those settings decide. */
  from: nullable(Type.String()),
  /** Country of the recipient, ISO 3166-1; vendors choose the sender by it. */
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
  /** Senders that the account may use; null for all but `reserved`. */
  only: or(nullable(Type.Array(Type.String())), null),
  /** Senders reserved for other accounts. */
  reserved: or(Type.Array(Type.String()), []),
  /** Unique per message: the idempotency key of vendors that take one, a reference for others. */
  reference: Type.String({ minLength: 1, maxLength: 100 }),
}
const taken = Type.Object({
  /** The vendor's id of the message. */
  message_id: Type.String({ minLength: 1 }),
  /** Phone number of the recipient, E.164, as the vendor returns it. */
  to: Type.String(),
  /** The sender; null if the vendor chooses it later. */
  from: nullable(Type.String()),
  /** `sent` once the vendor has accepted the message, otherwise the status that it reports. */
  status: Type.String(),
})

/**
 * Sends one text to one number by SMS. If a vendor may have accepted it, the call ends and the text is not sent again.
 */
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
    'Sends a text message to a phone number by SMS or WhatsApp, never twice: if it is unknown whether a provider ' +
    'accepted it, the call fails and says so. The operator sets the allowed countries. WhatsApp delivers free-form ' +
    'text only to recipients who messaged the business number within the last 24 hours. POST /v1/estimate returns ' +
    'the number of SMS segments.',
  once: true,
  input: Type.Object({
    to: Type.String({ minLength: 1, maxLength: 40, description: 'Phone number of the recipient in E.164 format, such as +491711234567.' }),
    message: Type.String({ minLength: 1, maxLength: LONGEST, description: 'Text of the message.' }),
    channel: or({ ...oneOf('auto', 'whatsapp'), description: 'auto: SMS; whatsapp: WhatsApp.' }, 'auto'),
    from_number: or(
      nullable(
        Type.String({ minLength: 1, maxLength: 40, description: 'One of the senders of this account; by default chosen by country.' }),
      ),
      null,
    ),
  }),
  output: Type.Object({
    message_id: Type.String({ description: 'Id of the message at the provider.' }),
    channel: { ...oneOf('sms', 'whatsapp'), description: 'Channel used.' },
    to: Type.String({ description: 'Phone number of the recipient.' }),
    from: nullable(Type.String({ description: 'The sender; null if the provider chooses it later.' })),
    status: Type.String({ description: 'sent once the provider has accepted the message, otherwise the status that it reports.' }),
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

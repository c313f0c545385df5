import { capability, flat, nullable, oneOf, port, Type, type Static } from '../../../core/sdk/index.js'
import { STATUSES } from '../verify/contract.js'
import { inOneForm, violations } from './input.js'

const status = oneOf(...STATUSES)

/** An address of the domain that a page or a vendor shows, with the name of its owner where that is beside it. */
export const shownAddress = Type.Object({
  address: Type.String(),
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  /** The patterns that it shows together with its owner's name, where they are in place of the name. */
  patterns: Type.Optional(Type.Array(Type.String())),
})

/** What a vendor, or the mail server, says of a person's address. */
export const foundAddress = Type.Object({
  /** At the domain that was asked for. */
  email: Type.String(),
  /** `invalid` says that nobody has this address, which vendors asked before had named. */
  verification_status: status,
  /** 0 to 100, by the table of the README. */
  confidence: Type.Number({ minimum: 0, maximum: 100 }),
  /** Names as the vendor spells them; null for those of the question. */
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  /** What a reader should know of this answer; without the address. */
  notes: Type.Array(Type.String()),
})

/** What the vendors of emails.find are asked: a person, and the domain with those who take its mail. */
export const findVendors = port({
  id: 'emails.find',
  input: Type.Object({
    first_name: Type.String(),
    last_name: Type.String(),
    /** A-labels in lower case. */
    domain: Type.String(),
    company: nullable(Type.String()),
    /** Hosts that take mail for the domain, the preferred one first; empty when no name server answered. */
    hosts: Type.Array(Type.String()),
    /** Addresses at the domain that vendors named for this person without being sure. */
    suggested: Type.Array(Type.String()),
    /** Patterns of the domain that a vendor knows, the commonest first. */
    patterns: Type.Array(Type.String()),
    /** Addresses of others at the domain. */
    shown: Type.Array(shownAddress),
    /** Milliseconds that the vendor may take. */
    left_ms: Type.Integer({ minimum: 0 }),
  }),
  output: foundAddress,
})

/** Which patterns the addresses of a domain have, the commonest first, in the words of `pattern`: `first.last`, `flast`. Names nobody. */
export const domainPatterns = port({
  id: 'emails.patterns',
  input: Type.Object({ domain: Type.String() }),
  output: Type.Object({ patterns: Type.Array(Type.String()) }),
})

const name = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

/** The mail address of a person at a company. */
export const emailsFind = capability({
  id: 'emails.find',
  path: '/v1/emails/find',
  phrases: [
    { say: '* contact reach inbox email e-mail mail address person' },
    { say: 'find|guess|get email|mail address of {first_name} {last_name} at {domain}' },
    { say: 'find|get|guess|need email|mail' },
    { say: 'email|mail address of|for' },
    { say: 'work|business|professional email|mail' },
    { say: 'how reach|contact by email|mail' },
    { say: 'find|guess address of {first_name} {last_name}' },
    { say: 'write|mail to at|of {domain}' },
  ],
  title: 'Find a mail address',
  aliases: ['emails'],
  description:
    "Finds a person's professional mail address at a company's domain. Vendors are asked one after the other until one is sure; then the usual " +
    'address patterns for the name are checked at the mail server, without sending anything. verification_status is valid, catch-all (the domain ' +
    'takes mail for any name) or unknown. confidence, 0 to 100: from 85 the mailbox is confirmed, 75 the same for a first or last name alone, 60 ' +
    'accepted by a server that may accept everybody, or named by a vendor for a catch-all domain, at most 50 not confirmed: shown by the site or a ' +
    'vendor (50), by a pattern of the domain (40), by the commonest pattern (30); a vendor with a score of its own keeps it. No result is free. ' +
    'Mail services for everybody such as gmail.com are refused. To check an address that you have, use emails.verify.',
  input: Type.Object({
    first_name: name('First name, any script; without titles.'),
    last_name: name('Last name, with its particles and all of its parts.'),
    domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: "The company's domain as in its mail addresses, such as example.com: no address of a page.",
    }),
    company: Type.Optional(nullable(Type.String({ maxLength: 200, description: 'Name of the company, which helps some vendors.' }))),
  }),
  output: Type.Object({
    email: Type.String({ description: 'The address.' }),
    email_type: { ...oneOf('professional', 'webmail', 'role'), description: 'Whose address it is: a person at work, or a function.' },
    confidence: Type.Number({ minimum: 0, maximum: 100, description: 'How sure it is that this is the address, 0 to 100.' }),
    verification_status: { ...status, description: 'What is known of the mailbox, in the words of emails.verify.' },
    first_name: Type.String({ description: 'As the vendor spells it, else as given.' }),
    last_name: Type.String({ description: 'As the vendor spells it, else as given.' }),
    domain: Type.String({ description: 'The domain of the address, in ASCII.' }),
  }),
  price: flat(2),
  work: 'light',
  timeoutMs: 60_000,
  vendors: findVendors,
  normalise: inOneForm,
  check: violations,
  examples: [
    { title: 'A person at a company', params: { first_name: 'Ada', last_name: 'Lovelace', domain: 'example.com' } },
    {
      title: 'With the company',
      params: { first_name: 'Jürgen', last_name: 'von der Heide', domain: 'example.de', company: 'Beispiel GmbH' },
    },
  ],
})

export type FindInput = Static<typeof findVendors.input>
export type FoundAddress = Static<typeof foundAddress>
export type ShownAddress = Static<typeof shownAddress>
export type FindAnswer = Static<typeof emailsFind.output>

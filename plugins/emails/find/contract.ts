import { capability, flat, nullable, oneOf, port, Type, type Static } from '../../../core/sdk/index.js'
import { STATUSES } from '../verify/contract.js'
import { inOneForm, violations } from './input.js'

const status = oneOf(...STATUSES)

/** An address at the domain that a page or a vendor shows, with its owner's name if that is shown too. */
export const shownAddress = Type.Object({
  address: Type.String(),
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  /** Patterns derived from the address and its owner's name, stored instead of the name. */
  patterns: Type.Optional(Type.Array(Type.String())),
})

/** A person's address according to a vendor or the mail server. */
export const foundAddress = Type.Object({
  /** An address at the requested domain. */
  email: Type.String(),
  /** `invalid`: the address does not exist, although an earlier vendor returned it. */
  verification_status: status,
  /** 0 to 100, see the table in the README. */
  confidence: Type.Number({ minimum: 0, maximum: 100 }),
  /** Names as the vendor spells them; null to use those of the input. */
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  /** Remarks for the caller; they never contain the address. */
  notes: Type.Array(Type.String()),
})

/** Input and output of the vendors of emails.find: a person, and the domain with its mail hosts. */
export const findVendors = port({
  id: 'emails.find',
  input: Type.Object({
    first_name: Type.String(),
    last_name: Type.String(),
    /** A-labels in lower case. */
    domain: Type.String(),
    company: nullable(Type.String()),
    /** Mail hosts of the domain in order of preference; empty when no name server answered. */
    hosts: Type.Array(Type.String()),
    /** Unconfirmed addresses of this person that vendors returned. */
    suggested: Type.Array(Type.String()),
    /** Address patterns of the domain known to a vendor, most common first. */
    patterns: Type.Array(Type.String()),
    /** Addresses of other people at the domain. */
    shown: Type.Array(shownAddress),
    /** Time limit of the vendor in milliseconds. */
    left_ms: Type.Integer({ minimum: 0 }),
  }),
  output: foundAddress,
})

/**
 * Address patterns of a domain, most common first, in the notation of `pattern`: `first.last`, `flast`. Names no
 * person.
 */
export const domainPatterns = port({
  id: 'emails.patterns',
  input: Type.Object({ domain: Type.String() }),
  output: Type.Object({ patterns: Type.Array(Type.String()) }),
})

const name = (description: string) => Type.String({ minLength: 1, maxLength: 100, description })

/** The email address of a person at a company. */
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
  title: 'Find an email address',
  aliases: ['emails'],
  description:
    "Finds a person's professional email address at a company's domain. Providers are queried in order until one is " +
    'certain; then common address patterns are checked with the mail server, without sending mail. ' +
    'verification_status is valid, catch-all (the domain accepts mail for any name) or unknown. confidence, 0 to ' +
    '100: from 85, the mailbox is confirmed; 75, the same for a first or last name alone; 60, accepted by a server ' +
    'that may accept every address, or returned by a provider for a catch-all domain; up to 50, unconfirmed: shown ' +
    'by the site or a provider (50), from a pattern of the domain (40), from the most common pattern (30). A ' +
    "provider's own score is kept. A call without a result is not charged. Free mail services such as gmail.com are " +
    'refused. To check a known address, use emails.verify.',
  input: Type.Object({
    first_name: name('First name, in any script, without titles.'),
    last_name: name('Last name, with particles and all its parts.'),
    domain: Type.String({
      minLength: 1,
      maxLength: 300,
      description: "Domain of the company's email addresses, such as example.com; not a URL.",
    }),
    company: Type.Optional(nullable(Type.String({ maxLength: 200, description: 'Name of the company; helps some providers.' }))),
  }),
  output: Type.Object({
    email: Type.String({ description: 'The email address.' }),
    email_type: {
      ...oneOf('professional', 'webmail', 'role'),
      description: 'professional: of a person; webmail: at a free mail service; role: of a function, such as info@.',
    },
    confidence: Type.Number({ minimum: 0, maximum: 100, description: 'Confidence that this is the address, 0 to 100.' }),
    verification_status: { ...status, description: 'Status of the mailbox, as in emails.verify.' },
    first_name: Type.String({ description: 'First name as the provider spells it, otherwise as given.' }),
    last_name: Type.String({ description: 'Last name as the provider spells it, otherwise as given.' }),
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
      title: 'With the company name',
      params: { first_name: 'Jürgen', last_name: 'von der Heide', domain: 'example.de', company: 'Beispiel GmbH' },
    },
  ],
})

export type FindInput = Static<typeof findVendors.input>
export type FoundAddress = Static<typeof foundAddress>
export type ShownAddress = Static<typeof shownAddress>
export type FindAnswer = Static<typeof emailsFind.output>

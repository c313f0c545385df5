/** What is true of a registration, as far as its server says it. The shape is that of the port `registration.find`. */
export interface WhoisFacts {
  readonly registrar: {
    readonly name: string | null
    readonly iana_id: string | null
    readonly url: string | null
    readonly abuse_email: string | null
    readonly abuse_phone: string | null
  } | null
  /** ISO 8601: with a time in UTC where the server names the zone, else the day alone. */
  readonly created: string | null
  readonly updated: string | null
  readonly expires: string | null
  readonly status: readonly string[]
  readonly name_servers: readonly string[]
  readonly dnssec: boolean | null
  readonly registrant: {
    readonly name: string | null
    readonly organization: string | null
    readonly state: string | null
    readonly country: string | null
    readonly email: string | null
  } | null
}

/** One answer of a WHOIS server, and what it says. */
export interface WhoisSample {
  readonly name: string
  readonly server: string
  /** The queried name, as A-labels. */
  readonly domain: string
  readonly text: string
  readonly is: 'registered' | 'free' | 'reserved' | 'busy' | 'unclear'
  /** Of a registered one. */
  readonly facts?: WhoisFacts
  /** The server of the registrar, where the answer names one. */
  readonly referral?: string
}

const NONE: WhoisFacts = {
  registrar: null,
  created: null,
  updated: null,
  expires: null,
  status: [],
  name_servers: [],
  dnssec: null,
  registrant: null,
}

/** Facts of which everything not given is what nobody said. */
export function facts(given: Partial<WhoisFacts>): WhoisFacts {
  return { ...NONE, ...given }
}

/** A registrar by name, with what else is known of it. */
export function registrar(
  name: string | null,
  more: Partial<NonNullable<WhoisFacts['registrar']>> = {},
): NonNullable<WhoisFacts['registrar']> {
  return { name, iana_id: null, url: null, abuse_email: null, abuse_phone: null, ...more }
}

/** A registrant of whom only this is known. */
export function registrant(given: Partial<NonNullable<WhoisFacts['registrant']>>): NonNullable<WhoisFacts['registrant']> {
  return { name: null, organization: null, state: null, country: null, email: null, ...given }
}

/** Makes the samples of one server: lines become the text as it comes over the wire. */
export function samplesOf(server: string, domain: string) {
  const sample = (name: string, is: WhoisSample['is'], lines: readonly string[], more: Partial<WhoisSample> = {}): WhoisSample => ({
    name: `${server}: ${name}`,
    server,
    domain,
    text: lines.map((line) => `${line}\r\n`).join(''),
    is,
    ...more,
  })
  return {
    registered: (name: string, lines: readonly string[], known: Partial<WhoisFacts>, referral?: string): WhoisSample =>
      sample(name, 'registered', lines, { facts: facts(known), ...(referral === undefined ? {} : { referral }) }),
    free: (...lines: readonly string[]): WhoisSample => sample('not registered', 'free', lines),
    reserved: (...lines: readonly string[]): WhoisSample => sample('reserved', 'reserved', lines),
    busy: (...lines: readonly string[]): WhoisSample => sample('queried too often', 'busy', lines),
    unclear: (name: string, ...lines: readonly string[]): WhoisSample => sample(name, 'unclear', lines),
  }
}

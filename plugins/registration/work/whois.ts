import { emptyRecord, type RegistrationRecord } from '../record.js'
import { entriesOf, isCut, linesOf } from './whois-lines.js'
import { recordOf } from './whois-record.js'
import { verdictOf, type Verdict } from './whois-verdict.js'

export interface WhoisQuestion {
  readonly text: string
  /** As A-labels. */
  readonly domain: string
  /** The answering server. */
  readonly server: string
}

export interface WhoisReading {
  /** `cut`: the answer was truncated within a line of the record. */
  readonly verdict: Verdict | { readonly is: 'registered' | 'cut' }
  readonly record: RegistrationRecord
  /** The record shows that the name is registered, without other readable data. */
  readonly bare: boolean
  /** The registrar's WHOIS server in the answer, unparsed. */
  readonly referral: string | null
  /** IANA's server for the TLD, unparsed. */
  readonly refer: string | null
  /** IANA lists the TLD without a server. */
  readonly without: boolean
}

/**
 * Parses a WHOIS server's answer about a domain: a record of that name, or its statement instead. Runs in a worker,
 * since the text is untrusted.
 */
export default function read({ text, domain, server }: WhoisQuestion): WhoisReading {
  const lines = linesOf(text)
  const entries = entriesOf(lines, domain)
  const { is, record, isRegistered, bare, referral } = recordOf(entries, domain, server)
  const found = { record, bare, referral, refer: null, without: false }
  if (isRegistered) return { verdict: { is: isCut(lines) ? 'cut' : 'registered' }, ...found }
  const refer = entries.find(({ key, value }) => (key === 'refer' || key === 'whois') && value !== '')?.value ?? null
  const without = refer === null && lines.some((line) => /^whois:\s*$/.test(line))
  const nothing = { record: emptyRecord(), bare: false, referral: null, refer, without }
  // The record of another name proves nothing about this one.
  const verdict: Verdict = is === 'other' ? { is: 'unclear' } : verdictOf(lines, domain)
  if (bare && verdict.is === 'unclear') return { verdict: { is: isCut(lines) ? 'cut' : 'registered' }, ...found }
  return { verdict, ...nothing }
}

import { emptyRecord, type RegistrationRecord } from '../record.js'
import { entriesOf, linesOf } from './whois-lines.js'
import { recordOf } from './whois-record.js'
import { verdictOf, type Verdict } from './whois-verdict.js'

export interface WhoisQuestion {
  readonly text: string
  /** As A-labels. */
  readonly domain: string
  /** Who answered. */
  readonly server: string
}

export interface WhoisReading {
  readonly verdict: Verdict | { readonly is: 'registered' }
  readonly record: RegistrationRecord
  /** What the answer names as the registrar's WHOIS server, as it is written. */
  readonly referral: string | null
  /** The server that IANA names for the TLD, as it is written. */
  readonly refer: string | null
}

/** Reads a WHOIS server's answer about a domain: a record of that name, or what it says instead. Runs in a worker, since the text is foreign. */
export default function read({ text, domain, server }: WhoisQuestion): WhoisReading {
  const lines = linesOf(text)
  const entries = entriesOf(lines)
  const { is, record, tells, referral } = recordOf(entries, domain, server)
  if (tells) return { verdict: { is: 'registered' }, record, referral, refer: null }
  const refer = entries.find(({ key, value }) => (key === 'refer' || key === 'whois') && value !== '')?.value ?? null
  const nothing = { record: emptyRecord(), referral: null, refer }
  // The record of another name says nothing of this one, whatever else stands there.
  return { verdict: is === 'other' ? { is: 'unclear' } : verdictOf(lines, domain), ...nothing }
}

import { emptyRecord, type RegistrationRecord } from '../record.js'
import { entriesOf, isCut, linesOf } from './whois-lines.js'
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
  /** `cut`: the answer ended within a line of the record. */
  readonly verdict: Verdict | { readonly is: 'registered' | 'cut' }
  readonly record: RegistrationRecord
  /** The record says that the name is somebody's, and nothing more that could be read. */
  readonly bare: boolean
  /** What the answer names as the registrar's WHOIS server, as it is written. */
  readonly referral: string | null
  /** The server that IANA names for the TLD, as it is written. */
  readonly refer: string | null
  /** IANA knows the TLD and names no server for it. */
  readonly without: boolean
}

/** Reads a WHOIS server's answer about a domain: a record of that name, or what it says instead. Runs in a worker, since the text is foreign. */
export default function read({ text, domain, server }: WhoisQuestion): WhoisReading {
  const lines = linesOf(text)
  const entries = entriesOf(lines, domain)
  const { is, record, isRegistered, bare, referral } = recordOf(entries, domain, server)
  const found = { record, bare, referral, refer: null, without: false }
  if (isRegistered) return { verdict: { is: isCut(lines) ? 'cut' : 'registered' }, ...found }
  const refer = entries.find(({ key, value }) => (key === 'refer' || key === 'whois') && value !== '')?.value ?? null
  const without = refer === null && lines.some((line) => /^whois:\s*$/.test(line))
  const nothing = { record: emptyRecord(), bare: false, referral: null, refer, without }
  // The record of another name says nothing of this one, whatever else is there.
  const verdict: Verdict = is === 'other' ? { is: 'unclear' } : verdictOf(lines, domain)
  if (bare && verdict.is === 'unclear') return { verdict: { is: isCut(lines) ? 'cut' : 'registered' }, ...found }
  return { verdict, ...nothing }
}

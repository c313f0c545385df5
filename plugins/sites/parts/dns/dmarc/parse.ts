import type { Dmarc } from '../../../shapes/dns.js'
import { readTags, type Tags } from '../tags.js'

/** The content of a record, regardless of its name. A null policy means that receivers ignore the record. */
interface DmarcRecord extends Omit<Dmarc, 'domain' | 'policy'> {
  /** Tag p. */
  readonly policy: string | null
}

const POLICIES = ['none', 'quarantine', 'reject']
const KNOWN = new Set(['v', 'p', 'sp', 'np', 'pct', 'rua', 'ruf', 'adkim', 'aspf', 'fo', 'rf', 'ri', 'psd', 't'])
const MOST_ADDRESSES = 20

/** A text that declares itself a DMARC record (RFC 7489 6.6.3). */
export function isDmarc(text: string): boolean {
  return /^v\s*=\s*DMARC1\s*(?:;|$)/.test(text)
}

/** Whether a record has the tag sp. */
export function hasSubdomainPolicy(record: string): boolean {
  return readTags(record).tags.has('sp')
}

/** Parses a record by RFC 7489 6.3. Never throws. */
export function parseDmarc(record: string): DmarcRecord {
  const read = readTags(record)
  const problems = [...read.problems]
  const aggregate = addressesOf('rua', read, problems)
  const policy = policyOf(read, aggregate, problems)
  const failure = addressesOf('ruf', read, problems)
  const percent = wholeOf('pct', read, { most: 100, otherwise: 100 }, problems)
  const alignment = (tag: 'adkim' | 'aspf'): Dmarc['dkim_alignment'] =>
    oneOf(tag, ['r', 's'], read, problems) === 's' ? 'strict' : 'relaxed'
  const [dkim_alignment, spf_alignment] = [alignment('adkim'), alignment('aspf')]
  if (read.tags.has('fo') && !/^[01ds](?:\s*:\s*[01ds])*$/i.test(read.tags.get('fo') ?? '')) problems.push('fo is none of 0, 1, d and s.')
  wholeOf('ri', read, { most: 0xffff_ffff, otherwise: 86_400 }, problems)
  for (const name of read.tags.keys()) if (!KNOWN.has(name)) problems.push(`${name.slice(0, 80)} is no tag of DMARC.`)
  if (policy === 'none' && aggregate.length === 0)
    problems.push('The policy is none and no reports are asked for, so the record has no effect.')
  return {
    record,
    policy,
    subdomain_policy: policy === null ? null : (oneOf('sp', POLICIES, read, problems) ?? policy),
    percent,
    dkim_alignment,
    spf_alignment,
    aggregate_reports: aggregate,
    failure_reports: failure,
    problems,
  }
}

/** A record without a policy that requests reports means none (RFC 7489 6.6.3); without report addresses it is ignored. */
function policyOf({ tags, first }: Tags, reports: readonly string[], problems: string[]): string | null {
  if (first !== 'v') problems.push('v=DMARC1 is not the first tag.')
  const written = tags.get('p')?.toLowerCase()
  if (written !== undefined && POLICIES.includes(written)) return written
  const what = written === undefined ? 'There is no policy (p)' : `The policy "${written.slice(0, 80)}" is none`
  problems.push(reports.length > 0 ? `${what}; receivers take it for none.` : `${what}, so receivers ignore the record.`)
  return reports.length > 0 ? 'none' : null
}

function addressesOf(tag: 'rua' | 'ruf', { tags }: Tags, problems: string[]): string[] {
  const addresses = (tags.get(tag) ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
  if (addresses.length > MOST_ADDRESSES) problems.push(`${tag} has more than ${String(MOST_ADDRESSES)} addresses.`)
  return addresses.slice(0, MOST_ADDRESSES).filter((address) => {
    const fits = /^mailto:[^\s@,!]+@[^\s@,!]+(?:!\d+[kmgt]?)?$/i.test(address) || /^https?:\/\/[^\s,]+$/i.test(address)
    if (!fits) problems.push(`${tag} has "${address.slice(0, 80)}", which is no address for reports.`)
    return fits
  })
}

function oneOf(tag: string, values: readonly string[], { tags }: Tags, problems: string[]): string | null {
  const value = tags.get(tag)?.toLowerCase()
  if (value === undefined || values.includes(value)) return value ?? null
  problems.push(`${tag} is none of ${values.join(', ')}.`)
  return null
}

function wholeOf(tag: string, { tags }: Tags, { most, otherwise }: { most: number; otherwise: number }, problems: string[]): number {
  const value = tags.get(tag)
  if (value === undefined) return otherwise
  if (/^\d{1,10}$/.test(value) && Number(value) <= most) return Number(value)
  problems.push(`${tag} is no number from 0 to ${String(most)}.`)
  return otherwise
}

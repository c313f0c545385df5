import { createHash } from 'node:crypto'
import { Fault, type DnsData, type Services } from '../../../../core/sdk/index.js'
import type { Dnssec } from '../../shapes/dns.js'
import { answerOrFault, answerTo } from './records.js'

/** Key algorithms (IANA, DNSSEC algorithm numbers). */
const ALGORITHMS: ReadonlyMap<number, string> = new Map([
  [1, 'RSAMD5'],
  [3, 'DSA'],
  [5, 'RSASHA1'],
  [6, 'DSA-NSEC3-SHA1'],
  [7, 'RSASHA1-NSEC3-SHA1'],
  [8, 'RSASHA256'],
  [10, 'RSASHA512'],
  [12, 'ECC-GOST'],
  [13, 'ECDSAP256SHA256'],
  [14, 'ECDSAP384SHA384'],
  [15, 'ED25519'],
  [16, 'ED448'],
])
/** Not to be used for signing (RFC 8624 3.1). */
const OLD = new Set([1, 3, 5, 6, 7, 12])
const DIGESTS: ReadonlyMap<number, string> = new Map([
  [1, 'sha1'],
  [2, 'sha256'],
  [4, 'sha384'],
])
const PROTOCOL = 3
const ZONE_KEY = 0x100
/** Most keys checked individually. */
const MOST = 50

type Key = DnsData['DNSKEY']
type Delegation = DnsData['DS']

/**
 * DNSSEC of the zone of a registrable domain: its keys, those confirmed by the parent zone, and whether the queried
 * name server validated the answer, or refused it. Signatures are verified by that name server. Throws a `blocked`
 * Fault that is `unavailable` when nothing answered.
 */
export async function dnssecOf(zone: string, ctx: Services): Promise<Dnssec> {
  const [keys, delegations, start] = await Promise.all([
    answerTo(zone, 'DNSKEY', ctx),
    answerTo(zone, 'DS', ctx),
    answerOrFault(zone, 'SOA', ctx),
  ])
  const soa = Fault.is(start) ? null : start
  return judged(
    zone,
    keys.records.map(({ data }) => data),
    delegations.records.map(({ data }) => data),
    keys.bogus || soa?.bogus === true ? 'refused' : keys.authenticated || soa?.authenticated === true ? 'validated' : 'unsaid',
  )
}

/** The queried name server's verdict on a zone's signatures. */
type Validation = 'validated' | 'refused' | 'unsaid'

/** The combined result of a zone's keys, the parent zone's records and the name server's verdict. */
export function judged(zone: string, keys: readonly Key[], delegations: readonly Delegation[], validation: Validation): Dnssec {
  const problems: string[] = []
  const authenticated = validation === 'validated'
  const [signed, delegated] = [keys.length > 0, delegations.length > 0]
  const matches = signed && delegated ? matchOf(zone, keys, delegations) : null
  if (!signed && !delegated) problems.push('Unsigned: the zone has no keys.')
  if (signed && !delegated) problems.push('Insecure: the zone has keys, but the zone above has no DS record, so they are not trusted.')
  if (!signed && delegated)
    problems.push('Bogus: the zone above has a DS record, but the zone has no keys; resolvers that validate give no answer.')
  if (matches === false) problems.push('Bogus: no key of the zone fits a DS record; resolvers that validate give no answer.')
  if (signed && delegated && matches === null) problems.push('The DS records use digests that cannot be checked here.')
  const contradicts = matches === false || (!signed && delegated)
  if (validation === 'refused' && !contradicts)
    problems.push('Bogus: the queried name server answers for the zone only without validation; its signatures are invalid or expired.')
  if (matches === true && validation === 'unsaid')
    problems.push('The keys fit the DS record; the name server that was asked does not say that it checked the signatures.')
  for (const number of new Set(keys.map(({ algorithm }) => algorithm)))
    if (OLD.has(number)) problems.push(`${nameOf(number)} is an old algorithm (RFC 8624).`)
  if (delegated && delegations.every(({ digestType }) => digestType === 1)) problems.push('The DS records use SHA-1 alone (RFC 8624).')
  const algorithms = [...new Set(keys.slice(0, MOST).map(({ algorithm }) => nameOf(algorithm)))].sort()
  return { signed, delegated, authenticated, matches, bogus: contradicts || validation === 'refused', algorithms, problems }
}

/** Whether a DS record is the digest of a key (RFC 4034 5.1.4); null when no supported digest is used. */
function matchOf(zone: string, keys: readonly Key[], delegations: readonly Delegation[]): boolean | null {
  const known = delegations.slice(0, MOST).filter(({ digestType }) => DIGESTS.has(digestType))
  if (known.length === 0) return null
  const owner = wireName(zone)
  return keys.slice(0, MOST).some((key) => {
    if ((key.flags & ZONE_KEY) === 0) return false
    const data = keyData(key)
    const tag = keyTag(data)
    return known.some(
      (delegation) =>
        delegation.keyTag === tag &&
        delegation.algorithm === key.algorithm &&
        createHash(DIGESTS.get(delegation.digestType) ?? 'sha256')
          .update(owner)
          .update(data)
          .digest('hex') === delegation.digest.toLowerCase(),
    )
  })
}

function nameOf(algorithm: number): string {
  return ALGORITHMS.get(algorithm) ?? `algorithm ${String(algorithm)}`
}

function wireName(name: string): Buffer {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.')
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]), Buffer.from([0])])
}

function keyData({ flags, algorithm, key }: Key): Buffer {
  return Buffer.concat([Buffer.from([flags >> 8, flags & 0xff, PROTOCOL, algorithm]), Buffer.from(key, 'base64')])
}

/** RFC 4034, appendix B. */
function keyTag(data: Buffer): number {
  let sum = 0
  for (const [place, byte] of data.entries()) sum += place % 2 === 0 ? byte << 8 : byte
  return (sum + Math.floor(sum / 0x1_0000)) & 0xffff
}

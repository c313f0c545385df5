import type { Dkim } from '../../../shapes/dns.js'
import { readTags } from '../tags.js'
import { rsaBits } from './rsa-bits.js'

const MOST_CHARACTERS = 1_000
const ED25519_BYTES = 32
/** RFC 8301 3.2. */
const WEAK_BITS = 1_024
const SHORT_BITS = 2_048

/** A text that declares itself a DKIM key, or contains one. */
export function isDkim(text: string): boolean {
  return /^\s*v\s*=\s*DKIM1\s*(?:;|$)/i.test(text) || readTags(text).tags.has('p')
}

/** Parses the record of a selector by RFC 6376 3.6.1 and RFC 8463. Never throws. */
export function parseDkim(record: string): Omit<Dkim, 'selector' | 'alias'> {
  const { tags, first, problems: faults } = readTags(record)
  const problems = [...faults]
  const type = (tags.get('k') ?? 'rsa').toLowerCase()
  const key = tags.get('p')?.replace(/\s+/g, '')
  if (tags.has('v') && (first !== 'v' || tags.get('v') !== 'DKIM1')) problems.push('The version is not DKIM1 at the start of the record.')
  if (key === undefined) problems.push('There is no key (p).')
  const bits = key === undefined || key === '' ? null : keyBits(type, key, problems)
  const hashes = tags.get('h')?.toLowerCase().split(':')
  if (hashes?.every((hash) => hash.trim() !== 'sha256') === true) problems.push('The key allows no hash but old ones.')
  return {
    record: record.slice(0, MOST_CHARACTERS),
    key_type: type === 'rsa' || type === 'ed25519' ? type : null,
    key_bits: bits,
    testing: flagsOf(tags.get('t')).includes('y'),
    revoked: key === '',
    problems,
  }
}

/** Bits of an RSA key; null for others and for an invalid key. */
function keyBits(type: string, key: string, problems: string[]): number | null {
  if (type !== 'rsa' && type !== 'ed25519') {
    problems.push(`Keys of type ${type.slice(0, 80)} are not known to receivers.`)
    return null
  }
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(key) ? Buffer.from(key, 'base64') : Buffer.alloc(0)
  const bits = type === 'rsa' ? rsaBits(bytes) : null
  if (type === 'ed25519' ? bytes.length !== ED25519_BYTES : bits === null) problems.push('The key cannot be read.')
  if (bits !== null && bits < WEAK_BITS) problems.push(`The key has ${String(bits)} bits, which receivers refuse.`)
  else if (bits !== null && bits < SHORT_BITS) problems.push(`The key has ${String(bits)} bits; ${String(SHORT_BITS)} are usual.`)
  return bits
}

function flagsOf(flags = ''): string[] {
  return flags.split(':').map((flag) => flag.trim().toLowerCase())
}

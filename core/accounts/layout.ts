import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Prefix of every key. */
export const KEY_PREFIX = 'cap_'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 43
const CHECK_DIGITS = 6
const SHAPE = /^cap_[0-9A-Za-z]{49}$/
/** Characters of a key that are shown in lists. */
export const SHOWN = 12

/** Upper bounds for a key's fields, for the API and the command line. */
export const KEY_LIMITS = {
  /** Characters of its label. */
  name: 100,
  /** Requests a minute. */
  rate: 100_000,
  /** Days until it expires. */
  days: 36_500,
  /** Seconds that it stays valid beside its replacement. */
  overlap: 2_592_000,
} as const

function base62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; text.length < digits; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text
  return text
}

/** A new key: `cap_`, 43 base62 digits of 256 random bits, 6 of checksum for secret scanners and against typos. */
export function makeKey(): string {
  const body = KEY_PREFIX + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_DIGITS)
  return body + checksum(body)
}

/** Six digits hold any CRC of 32 bits. */
function checksum(body: string): string {
  let text = ''
  for (let rest = crc32(body); text.length < CHECK_DIGITS; rest = Math.floor(rest / 62)) text = BASE62.charAt(rest % 62) + text
  return text
}

/** False when the text cannot be one of our keys, so that no look-up is needed. */
export function wellFormed(key: string): boolean {
  return SHAPE.test(key) && checksum(key.slice(0, -CHECK_DIGITS)) === key.slice(-CHECK_DIGITS)
}

/** SHA-256 of a key in hex, the only stored form (OWASP ASVS 6.5.2 allows a fast hash of 256 random bits). */
export function hashKey(key: string): string {
  return hash('sha256', key, 'hex')
}

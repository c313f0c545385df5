import { createHmac, randomUUID } from 'node:crypto'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A ULID: 48 bits of time and 80 random bits, sortable by time (github.com/ulid/spec). The random bits are those of a version 4
 * UUID, because Node reads their entropy in large blocks, which costs a tenth of reading sixteen bytes.
 */
export function ulid(now: number): string {
  let text = ''
  for (let rest = now, digit = 0; digit < 10; digit++, rest = Math.floor(rest / 32)) text = CROCKFORD.charAt(rest % 32) + text
  const uuid = randomUUID()
  return text + forty(uuid.slice(0, 8) + uuid.slice(9, 11)) + forty(uuid.slice(24, 34))
}

/** Ten hex digits as eight digits of the alphabet. */
function forty(hex: string): string {
  let text = ''
  for (let rest = parseInt(hex, 16), digit = 0; digit < 8; digit++, rest = Math.floor(rest / 32)) text += CROCKFORD.charAt(rest % 32)
  return text
}

/**
 * Names of data that replicas share: digests with a secret of all replicas, so that their inputs (numbers, addresses) cannot be found by
 * brute force, and names differ between installations that share a Redis.
 */
export class SharedNames {
  readonly #key: Buffer

  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('names of what replicas share').digest()
  }

  /** A name of 32 characters, unique for a list of texts. */
  of(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url').slice(0, 32)
  }
}

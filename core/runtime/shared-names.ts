import { createHmac } from 'node:crypto'

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

import { createHmac } from 'node:crypto'

/**
 * Names under which replicas share things: digests with a secret that all replicas have, so that what they are made of (numbers, addresses) cannot
 * be found by trying, and differs between installations that share a Redis.
 */
export class SharedNames {
  readonly #key: Buffer

  constructor(secret: string) {
    this.#key = createHmac('sha256', secret).update('names of what replicas share').digest()
  }

  /** 32 characters for a list of texts, another for any other list. */
  of(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url').slice(0, 32)
  }
}

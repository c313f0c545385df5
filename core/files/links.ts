import { createHmac, timingSafeEqual } from 'node:crypto'

/** Signs and verifies links that need no key: HMAC-SHA256 over method, id and expiry. */
export class LinkSigner {
  readonly #secret: Buffer

  constructor(secretHex: string) {
    this.#secret = Buffer.from(secretHex, 'hex')
  }

  /** Path and query of a link; `expires` in Unix seconds. */
  sign(id: string, name: string, expires: number): string {
    return `/files/${id}/${encodeURIComponent(name)}?expires=${expires}&signature=${this.#mac(id, expires).toString('base64url')}`
  }

  /** True when the signature is ours and the link has not expired. */
  valid(id: string, expires: string, signature: string, now: number): boolean {
    return this.signed(id, expires, signature) && Number(expires) * 1000 > now
  }

  /** True when the signature is ours and the link has expired. */
  expired(id: string, expires: string, signature: string, now: number): boolean {
    return this.signed(id, expires, signature) && Number(expires) * 1000 <= now
  }

  /** True when the signature is ours, expired or not. */
  signed(id: string, expires: string, signature: string): boolean {
    if (!/^[1-9]\d{0,11}$/.test(expires)) return false
    // Compared as text: base64url has several spellings of the same bytes, and only ours is a link.
    const given = Buffer.from(signature)
    const wanted = Buffer.from(this.#mac(id, Number(expires)).toString('base64url'))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  #mac(id: string, expires: number): Buffer {
    return createHmac('sha256', this.#secret).update(`GET\n${id}\n${expires}`).digest()
  }
}

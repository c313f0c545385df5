import { createHmac, timingSafeEqual } from 'node:crypto'

/** Makes and checks links that need no key: HMAC-SHA256 over method, id and expiry. */
export class LinkSigner {
  readonly #secret: Buffer

  constructor(secretHex: string) {
    this.#secret = Buffer.from(secretHex, 'hex')
  }

  /** Path and query of a link, valid until the time given in Unix seconds. */
  sign(id: string, name: string, expires: number): string {
    return `/files/${id}/${encodeURIComponent(name)}?expires=${expires}&signature=${this.#mac(id, expires).toString('base64url')}`
  }

  /** True when the signature is ours and the time has not come. */
  valid(id: string, expires: string, signature: string, now: number): boolean {
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= now) return false
    const given = Buffer.from(signature, 'base64url')
    const wanted = this.#mac(id, Number(expires))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  #mac(id: string, expires: number): Buffer {
    return createHmac('sha256', this.#secret).update(`GET\n${id}\n${expires}`).digest()
  }
}

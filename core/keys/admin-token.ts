import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SettingsStore } from '../store/types.js'

const SETTING = 'admin-token-hash'

/** The operator's token: from the configuration, or made at the first start and then known only by its hash. */
export class AdminToken {
  readonly #hash: Buffer

  private constructor(hash: Buffer) {
    this.#hash = hash
  }

  /** A token nobody has yet. */
  static fresh(): string {
    return `adm_${randomBytes(32).toString('base64url')}`
  }

  /** The token in force: the configured one, else the one that is kept, else `fresh`; `made` is its text in the last case, to be shown once. */
  static async open(
    configured: string | null,
    settings: SettingsStore,
    fresh = AdminToken.fresh(),
  ): Promise<{ token: AdminToken; made: string | null }> {
    if (configured !== null) return { token: new AdminToken(digest(configured)), made: null }
    const kept = await settings.putIfAbsent(SETTING, digest(fresh).toString('hex'))
    const token = new AdminToken(Buffer.from(kept, 'hex'))
    return { token, made: token.matches(fresh) ? fresh : null }
  }

  matches(given: string): boolean {
    return timingSafeEqual(digest(given), this.#hash)
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

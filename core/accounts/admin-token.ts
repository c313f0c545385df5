import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SettingsStore } from '../store/types.js'

const SETTING = 'admin-token-hash'
/** Set before the token is created, deleted once it was printed. */
const UNSHOWN = 'admin-token-unshown'

/** The operator's token: configured, or generated at the first start and stored as a hash, which all replicas read. */
export class AdminToken {
  readonly #settings: SettingsStore
  readonly #configured: boolean
  /** Null until a gateway has created one. */
  #hash: Buffer | null

  private constructor(settings: SettingsStore, configured: string | null) {
    this.#settings = settings
    this.#configured = configured !== null
    this.#hash = configured === null ? null : digest(configured)
  }

  /** The configured token, else the stored one. */
  static async open(configured: string | null, settings: SettingsStore): Promise<AdminToken> {
    const token = new AdminToken(settings, configured)
    await token.read()
    return token
  }

  /** Reads the stored hash again: another gateway may have created or replaced the token. */
  async read(): Promise<void> {
    if (this.#configured) return
    const kept = await this.#settings.get(SETTING)
    this.#hash = kept === null ? null : Buffer.from(kept, 'hex')
  }

  /**
   * Creates a token when none is configured and none was printed before; returns its text, to be shown once, or null.
   * `elected` resolves to true on the one gateway that creates it.
   */
  async make(elected: () => Promise<boolean>): Promise<string | null> {
    if (!(await this.#isDue()) || !(await elected()) || !(await this.#isDue())) {
      await this.read()
      return null
    }
    const text = `adm_${randomBytes(32).toString('base64url')}`
    await this.#settings.put(UNSHOWN, 'made and not yet printed')
    await this.#settings.put(SETTING, digest(text).toString('hex'))
    this.#hash = digest(text)
    return text
  }

  /** Records that the created token was printed. */
  async shown(): Promise<void> {
    await this.#settings.delete(UNSHOWN)
  }

  async #isDue(): Promise<boolean> {
    if (this.#configured) return false
    return (await this.#settings.get(SETTING)) === null || (await this.#settings.get(UNSHOWN)) !== null
  }

  matches(given: string): boolean {
    return this.#hash !== null && timingSafeEqual(digest(given), this.#hash)
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

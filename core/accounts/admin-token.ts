import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SettingsStore } from '../store/types.js'

const SETTING = 'admin-token-hash'
/** Stands from before the token is made until it was printed. */
const UNSHOWN = 'admin-token-unshown'

/** The operator's token: from the configuration, or made at the first start and then known only by its hash, which all replicas read. */
export class AdminToken {
  readonly #settings: SettingsStore
  readonly #configured: boolean
  /** Null while no gateway has made one. */
  #hash: Buffer | null

  private constructor(settings: SettingsStore, configured: string | null) {
    this.#settings = settings
    this.#configured = configured !== null
    this.#hash = configured === null ? null : digest(configured)
  }

  /** The token in force: the configured one, else the one that is kept. */
  static async open(configured: string | null, settings: SettingsStore): Promise<AdminToken> {
    const token = new AdminToken(settings, configured)
    await token.read()
    return token
  }

  /** Reads the kept token again: another gateway may have made it, or made it anew. */
  async read(): Promise<void> {
    if (this.#configured) return
    const kept = await this.#settings.get(SETTING)
    this.#hash = kept === null ? null : Buffer.from(kept, 'hex')
  }

  /**
   * Makes a token where none is configured and none was printed before; answers its text, to be shown once, or null. `elected` says whether
   * it is this gateway that makes it.
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

  /** The token that was made has been printed. */
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

import { chown, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { jobFolder } from '../exec/job-folder.js'
import type { GuardProxy } from '../outbound/types.js'

interface OpenSocket {
  readonly path: string
  readonly close: () => Promise<void>
}

/**
 * Sockets of the guard proxy, one for each user that runs programs, opened on first use: in a folder that only this
 * user can enter, because the proxy reaches addresses the operator allowed for callers, and serves every client.
 */
export class ProxySockets {
  readonly #proxy: GuardProxy
  readonly #opened = new Map<number | null, Promise<OpenSocket>>()

  constructor(proxy: GuardProxy) {
    this.#proxy = proxy
  }

  /** Path of the socket of a user; null: the gateway's user. */
  async pathFor(uid: number | null): Promise<string> {
    const opening = this.#opened.get(uid) ?? this.#open(uid)
    this.#opened.set(uid, opening)
    // The next call tries again after a failure.
    opening.catch(() => this.#opened.delete(uid))
    return (await opening).path
  }

  /** Closes them and deletes their folders. */
  async close(): Promise<void> {
    const all = await Promise.allSettled([...this.#opened.values()])
    this.#opened.clear()
    await Promise.all(all.flatMap((each) => (each.status === 'fulfilled' ? [each.value.close()] : [])))
  }

  async #open(uid: number | null): Promise<OpenSocket> {
    const folder = await jobFolder()
    const remove = () => rm(folder, { recursive: true, force: true })
    try {
      const path = join(folder, 'proxy')
      const stop = await this.#proxy.listenOnSocket(path)
      if (uid !== null) await chown(folder, uid, uid)
      return { path, close: () => stop().finally(remove) }
    } catch (error) {
      await remove()
      throw error
    }
  }
}

import { parse } from '../../../_shared/public-suffixes.js'
import { Fault, resource, type Services } from '../../../../core/sdk/index.js'
import { smtp } from '../../../_vendors/smtp.js'
import { leaveGreeted } from './session.js'

/** After the hosts of so many domains in a row did not answer at all, the port is in doubt; found closed it counts as that for so long. */
const DOMAINS = 3
const CLOSED_MS = 60_000
/** What is refused sooner costs nobody any time. */
const SLOW_MS = 1_000
/** A server that always answers does so within this time. */
const CHECK_MS = 2_000

/**
 * Distinguishes a network that silently drops what goes to port 25 from mail servers that do not answer, so that not every call waits for it. Silent hosts
 * only raise the doubt: anybody can name some of their own.
 */
export class PortWatch {
  readonly #now: () => number
  readonly #silent = new Set<string>()
  #doubted = false
  #closedUntil = 0

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** True while connections are not worth trying. */
  get closed(): boolean {
    return this.#now() < this.#closedUntil
  }

  /** A host did not take a connection, after so many milliseconds. */
  failed(host: string, afterMs: number): void {
    if (afterMs < SLOW_MS) return
    this.#silent.add(parse(host).domain ?? host)
    if (this.#silent.size < DOMAINS) return
    this.#silent.clear()
    this.#doubted = true
  }

  /** A host took a connection. */
  opened(): void {
    this.#silent.clear()
    this.#doubted = false
    this.#closedUntil = 0
  }

  /**
   * Whether connections are not worth trying. When in doubt, one caller finds out meanwhile by connecting to a server that always answers, for at
   * most two seconds. Throws nothing of the network.
   */
  async check({ net, signal }: Pick<Services, 'net' | 'signal'>, leftMs: number): Promise<boolean> {
    if (this.closed || !this.#doubted || smtp.reaches === undefined) return this.closed
    this.#doubted = false
    const { host, port } = smtp.reaches
    try {
      const lines = await net.connect(host, port, { timeoutMs: Math.max(1, Math.min(CHECK_MS, leftMs)) })
      this.opened()
      await leaveGreeted(lines)
    } catch (error) {
      if (!Fault.is(error) || signal.aborted) throw error
      if (error.kind === 'blocked' && error.unavailable) this.#close()
    }
    return this.closed
  }

  #close(): void {
    this.#closedUntil = this.#now() + CLOSED_MS
    // Afterwards the same server is asked again first.
    this.#doubted = true
  }
}

export const portWatch = resource<PortWatch>({ id: 'emails.port', open: () => Promise.resolve(new PortWatch()) })

import { parse } from '../../../_shared/public-suffixes.js'
import { Fault, resource, type Services } from '../../../../core/sdk/index.js'
import { smtp } from '../../../_vendors/smtp.js'
import { leaveGreeted } from './session.js'

/**
 * Domains in a row whose hosts did not answer at all, after which the port is in doubt; once found closed it counts
 * as closed for this time.
 */
const DOMAINS = 3
const CLOSED_MS = 60_000
/** A quicker refusal costs no relevant time. */
const SLOW_MS = 1_000
/** Time limit for a server that always answers. */
const CHECK_MS = 2_000

/**
 * Distinguishes a network that silently drops port 25 from unresponsive mail servers, so that not every call waits
 * for it. Silent hosts only raise the doubt: anybody can name silent hosts of their own.
 */
export class PortWatch {
  readonly #now: () => number
  readonly #silent = new Set<string>()
  #doubted = false
  #closedUntil = 0

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** True while connections are not worth trying. */
  get closed(): boolean {
    return this.#now() < this.#closedUntil
  }

  /** A host refused a connection, after so many milliseconds. */
  failed(host: string, afterMs: number): void {
    if (afterMs < SLOW_MS) return
    this.#silent.add(parse(host).domain ?? host)
    if (this.#silent.size < DOMAINS) return
    this.#silent.clear()
    this.#doubted = true
  }

  /** A host accepted a connection. */
  opened(): void {
    this.#silent.clear()
    this.#doubted = false
    this.#closedUntil = 0
  }

  /**
   * Whether connections are not worth trying. When in doubt, one caller checks by connecting to a server that always
   * answers, for at most two seconds. Throws no network errors.
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
    // The same server is then checked first.
    this.#doubted = true
  }
}

export const portWatch = resource<PortWatch>({ id: 'emails.port', open: () => Promise.resolve(new PortWatch()) })

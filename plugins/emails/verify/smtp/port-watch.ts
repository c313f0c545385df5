import { resource } from '../../../../core/sdk/index.js'

/** After so many hosts in a row that did not answer at all, the network is taken for one that closes the port, for so long. */
const HOSTS = 3
const CLOSED_MS = 60_000
/** What is refused sooner costs nobody any time. */
const SLOW_MS = 1_000

/** Tells a network that silently drops what goes to port 25 from a mail server that does not answer, so that not every call waits for it. */
export class PortWatch {
  readonly #now: () => number
  readonly #silent = new Set<string>()
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
    this.#silent.add(host)
    if (this.#silent.size < HOSTS) return
    this.#closedUntil = this.#now() + CLOSED_MS
    // One more is tried after that time.
    for (const oldest of [...this.#silent].slice(0, this.#silent.size - HOSTS + 1)) this.#silent.delete(oldest)
  }

  /** A host took a connection. */
  opened(): void {
    this.#silent.clear()
    this.#closedUntil = 0
  }
}

export const portWatch = resource<PortWatch>({ id: 'emails.port', open: () => Promise.resolve(new PortWatch()) })

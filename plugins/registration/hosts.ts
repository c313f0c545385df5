import { unanswered } from './unanswered.js'

/** A host that gave no time is left alone for so long. */
const REST_SECONDS = 60
const MOST_REST_SECONDS = 3_600
/** A turn that is further off is not waited for. */
const MOST_WAIT_MS = 2_000
const MOST_HOSTS = 2_000

/** Servers of registries that asked for a pause, and when the next request to one may begin. */
export class Hosts {
  readonly #now: () => number
  /** By host, in milliseconds of `now`; the oldest entry first. */
  readonly #resting = new Map<string, number>()
  readonly #next = new Map<string, number>()

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Throws a `busy` Fault while the host wants to be left alone. */
  check(host: string): void {
    const left = (this.#resting.get(host) ?? 0) - this.#now()
    if (left > 0) throw unanswered(`${host} asked for a pause.`, { retryAfterSeconds: Math.ceil(left / 1_000) })
  }

  /** Leaves a host alone for the seconds it asked for, or a minute; at most an hour. The Fault to throw. */
  rest(host: string, seconds: number | null): Error {
    const wanted = Math.min(Math.max(1, seconds ?? REST_SECONDS), MOST_REST_SECONDS)
    put(this.#resting, host, this.#now() + wanted * 1_000)
    return unanswered(`${host} asks for a pause.`, { retryAfterSeconds: wanted })
  }

  /** Waits for its turn at a host that takes so many requests a second. Throws a `busy` Fault when that is more than 2 s off. */
  async turn(host: string, perSecond: number, wait: (ms: number) => Promise<void>): Promise<void> {
    this.check(host)
    const now = this.#now()
    const at = Math.max(now, this.#next.get(host) ?? 0)
    if (at - now > MOST_WAIT_MS)
      throw unanswered(`${host} is asked ${String(perSecond)} times a second at most, and others wait.`, {
        retryAfterSeconds: Math.ceil((at - now) / 1_000),
      })
    put(this.#next, host, at + 1_000 / perSecond)
    if (at > now) await wait(at - now)
    this.check(host)
  }
}

function put(map: Map<string, number>, host: string, until: number): void {
  map.delete(host)
  if (map.size >= MOST_HOSTS) for (const oldest of [...map.keys()].slice(0, 1)) map.delete(oldest)
  map.set(host, until)
}

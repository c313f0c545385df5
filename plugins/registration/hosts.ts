import { unanswered } from './unanswered.js'

/** Seconds to pause a host that named no time. */
const REST_SECONDS = 60
const MOST_REST_SECONDS = 3_600
/** Maximum wait for a turn. */
const MOST_WAIT_MS = 2_000
const MOST_HOSTS = 2_000

/** Registry servers that requested a pause, and the time of the next request to each. */
export class Hosts {
  readonly #now: () => number
  /** By host, in milliseconds of `now`; the oldest entry first. */
  readonly #resting = new Map<string, number>()
  readonly #next = new Map<string, number>()

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Throws a `busy` Fault while the host is paused. */
  check(host: string): void {
    const left = (this.#resting.get(host) ?? 0) - this.#now()
    if (left > 0) throw unanswered(`${host} asked for a pause.`, { retryAfterSeconds: Math.ceil(left / 1_000) })
  }

  /** Pauses a host for the seconds it requested, or a minute; at most an hour. Returns the Fault to throw. */
  rest(host: string, seconds: number | null): Error {
    const wanted = Math.min(Math.max(1, seconds ?? REST_SECONDS), MOST_REST_SECONDS)
    put(this.#resting, host, this.#now() + wanted * 1_000)
    return unanswered(`${host} requests a pause.`, { retryAfterSeconds: wanted })
  }

  /** Waits for a turn at a host with a limit of requests per second. Throws a `busy` Fault when the wait exceeds 2 s. */
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

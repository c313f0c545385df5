import { resource } from '../../../../core/sdk/index.js'

/** Most calls waiting for one mail server, and most of one account; others are rejected at once. */
const MOST_WAITING = 50
const MOST_OF_ACCOUNT = 20

interface Waiting {
  readonly account: string
  readonly begin: () => void
}

interface Queue {
  readonly waiting: Waiting[]
  /** Served calls per account since the queue formed. */
  readonly served: Map<string, number>
}

/** One conversation with a mail server at a time, across all calls of this gateway; next is the waiting account that was served least. */
export class HostQueues {
  readonly #queues = new Map<string, Queue>()

  /**
   * Waits for the host and returns its release function; null when it was not free while `waited` was pending, or too
   * many wait. `host` in lower case.
   */
  async acquire(host: string, account: string, waited: () => Promise<void>): Promise<(() => void) | null> {
    const queue = this.#queues.get(host)
    if (queue === undefined) {
      this.#queues.set(host, { waiting: [], served: new Map() })
      return this.#release(host)
    }
    const { waiting } = queue
    if (waiting.length >= MOST_WAITING || waiting.filter((each) => each.account === account).length >= MOST_OF_ACCOUNT) return null
    let begin: () => void = () => undefined
    const free = new Promise<() => void>((resolve) => (begin = () => resolve(this.#release(host))))
    const place: Waiting = { account, begin: () => begin() }
    waiting.push(place)
    let acquired: (() => void) | null = null
    try {
      acquired = await Promise.race([free, waited().then(() => null)])
      return acquired
    } finally {
      if (acquired === null) leave(waiting, place, free)
    }
  }

  #release(host: string): () => void {
    let released = false
    return () => {
      if (released) return
      released = true
      const queue = this.#queues.get(host)
      const next = queue === undefined ? undefined : nextOf(queue)
      if (next === undefined) this.#queues.delete(host)
      else next.begin()
    }
  }
}

function nextOf({ waiting, served }: Queue): Waiting | undefined {
  const count = ({ account }: Waiting): number => served.get(account) ?? 0
  const next = waiting.reduce<Waiting | undefined>(
    (best, each) => (best === undefined || count(each) < count(best) ? each : best),
    undefined,
  )
  if (next === undefined) return undefined
  waiting.splice(waiting.indexOf(next), 1)
  served.set(next.account, count(next) + 1)
  return next
}

/** Leaves the queue; a host that becomes free at the same moment is passed on to the next. */
function leave(waiting: Waiting[], place: Waiting, free: Promise<() => void>): void {
  const at = waiting.indexOf(place)
  if (at >= 0) waiting.splice(at, 1)
  else void free.then((release) => release())
}

export const hostQueues = resource<HostQueues>({ id: 'emails.host-queues', open: () => Promise.resolve(new HostQueues()) })

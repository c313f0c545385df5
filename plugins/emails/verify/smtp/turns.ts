import { resource } from '../../../../core/sdk/index.js'

/** So many calls wait for one mail server, and so many of one account; others are turned away at once. */
const MOST_WAITING = 50
const MOST_OF_ACCOUNT = 20

interface Waiting {
  readonly account: string
  readonly begin: () => void
}

interface Queue {
  readonly waiting: Waiting[]
  /** How often each account had its turn since somebody began to wait. */
  readonly served: Map<string, number>
}

/** One conversation with a mail server at a time, over all calls of this gateway; of those who wait the account comes next that had fewest turns. */
export class MailTurns {
  readonly #queues = new Map<string, Queue>()

  /** The turn, to be given back by calling it; null when it did not come while `waited` was under way, or too many wait. `host` in lower case. */
  async take(host: string, account: string, waited: () => Promise<void>): Promise<(() => void) | null> {
    const queue = this.#queues.get(host)
    if (queue === undefined) {
      this.#queues.set(host, { waiting: [], served: new Map() })
      return this.#release(host)
    }
    const { waiting } = queue
    if (waiting.length >= MOST_WAITING || waiting.filter((each) => each.account === account).length >= MOST_OF_ACCOUNT) return null
    let begin: () => void = () => undefined
    const turn = new Promise<() => void>((resolve) => (begin = () => resolve(this.#release(host))))
    const place: Waiting = { account, begin: () => begin() }
    waiting.push(place)
    let taken: (() => void) | null = null
    try {
      taken = await Promise.race([turn, waited().then(() => null)])
      return taken
    } finally {
      if (taken === null) leave(waiting, place, turn)
    }
  }

  #release(host: string): () => void {
    let given = false
    return () => {
      if (given) return
      given = true
      const queue = this.#queues.get(host)
      const next = queue === undefined ? undefined : nextOf(queue)
      if (next === undefined) this.#queues.delete(host)
      else next.begin()
    }
  }
}

function nextOf({ waiting, served }: Queue): Waiting | undefined {
  const turns = ({ account }: Waiting): number => served.get(account) ?? 0
  const next = waiting.reduce<Waiting | undefined>(
    (best, each) => (best === undefined || turns(each) < turns(best) ? each : best),
    undefined,
  )
  if (next === undefined) return undefined
  waiting.splice(waiting.indexOf(next), 1)
  served.set(next.account, turns(next) + 1)
  return next
}

/** Out of the queue; a turn that came in the same moment goes to the next. */
function leave(waiting: Waiting[], place: Waiting, turn: Promise<() => void>): void {
  const at = waiting.indexOf(place)
  if (at >= 0) waiting.splice(at, 1)
  else void turn.then((release) => release())
}

export const mailTurns = resource<MailTurns>({ id: 'emails.turns', open: () => Promise.resolve(new MailTurns()) })

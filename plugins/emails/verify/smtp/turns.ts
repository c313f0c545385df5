import { resource } from '../../../../core/sdk/index.js'

/** So many calls wait for one mail server; others are turned away at once. */
const MOST_WAITING = 50

interface Waiting {
  readonly begin: () => void
}

/** One conversation with a mail server at a time, over all calls of this gateway; the rest wait in their order. */
export class MailTurns {
  readonly #queues = new Map<string, Waiting[]>()

  /** The turn, to be given back by calling it; null when it did not come within the wait, or too many wait. `host` in lower case. */
  async take(host: string, waited: () => Promise<void>): Promise<(() => void) | null> {
    const queue = this.#queues.get(host)
    if (queue === undefined) {
      this.#queues.set(host, [])
      return this.#release(host)
    }
    if (queue.length >= MOST_WAITING) return null
    let place: Waiting | null = null
    const turn = new Promise<() => void>((resolve) => {
      place = { begin: () => resolve(this.#release(host)) }
      queue.push(place)
    })
    try {
      const first = await Promise.race([turn, waited().then(() => null)])
      if (first !== null) return first
    } catch (error) {
      this.#leave(queue, place, turn)
      throw error
    }
    this.#leave(queue, place, turn)
    return null
  }

  /** Out of the queue; a turn that came in the same moment goes to the next. */
  #leave(queue: Waiting[], place: Waiting | null, turn: Promise<() => void>): void {
    const at = place === null ? -1 : queue.indexOf(place)
    if (at >= 0) queue.splice(at, 1)
    else void turn.then((release) => release())
  }

  #release(host: string): () => void {
    let given = false
    return () => {
      if (given) return
      given = true
      const next = this.#queues.get(host)?.shift()
      if (next === undefined) this.#queues.delete(host)
      else next.begin()
    }
  }
}

export const mailTurns = resource<MailTurns>({ id: 'emails.turns', open: () => Promise.resolve(new MailTurns()) })

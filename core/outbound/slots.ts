import type { Cancel } from '../cancel.js'
import { Stopped } from './exchange.js'

interface Lane {
  free: number
  readonly waiting: Set<() => void>
}

/** So many at once for each key; the rest wait in order, and leave the queue when they are cancelled. */
export class Slots {
  readonly #limit: number
  readonly #lanes = new Map<string, Lane>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Waits for a slot; the returned function gives it back, once. Rejects with Stopped when cancelled first. */
  async take(key: string, cancel: Cancel): Promise<() => void> {
    const lane = this.#lanes.get(key) ?? { free: this.#limit, waiting: new Set() }
    this.#lanes.set(key, lane)
    if (lane.free > 0) lane.free--
    else await this.#queue(lane, cancel)
    let held = true
    return () => {
      if (held) this.#release(key, lane)
      held = false
    }
  }

  /** How many hosts have a lane. */
  get size(): number {
    return this.#lanes.size
  }

  #queue(lane: Lane, cancel: Cancel): Promise<void> {
    return new Promise((resolve, reject) => {
      let forget: () => void = () => undefined
      const turn = (): void => {
        forget()
        resolve()
      }
      lane.waiting.add(turn)
      forget = cancel.onCancel((reason) => {
        lane.waiting.delete(turn)
        reject(new Stopped(reason))
      })
    })
  }

  #release(key: string, lane: Lane): void {
    const [next] = lane.waiting
    if (next !== undefined) {
      lane.waiting.delete(next)
      next()
      return
    }
    if (++lane.free === this.#limit) this.#lanes.delete(key)
  }
}

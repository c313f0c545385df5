import type { Store } from '../../core/store/types.js'

/** Where a gateway is killed: around commands to its store, around its provider, and at the first byte and the end of an answer. */
export const CRASH_POINTS = [
  'before claim',
  'after claim',
  'before hold',
  'after hold',
  'provider asked',
  'provider answered',
  'before keep',
  'after keep',
  'before charge',
  'after charge',
  'before release',
  'after release',
  'first byte',
  'answer finished',
  'before delivered',
  'after delivered',
  'before refund',
  'after refund',
  'before sweep',
  'after sweep',
] as const

export type CrashPoint = (typeof CRASH_POINTS)[number]

/** What a gateway is started with that is killed. */
export interface CrashOrder {
  /** Null for one that is not. */
  readonly point: CrashPoint | null
  /** Which time the point is reached. */
  readonly times: number
  /** How far its clock is ahead, in milliseconds. */
  readonly fastMs: number
}

/** Kills this process, without any handler in it running, when a point is reached for the n-th time. */
export class Crash {
  readonly #point: string | null
  #left: number

  constructor(point: string | null, times: number) {
    this.#point = point
    this.#left = times
  }

  at(point: string): void {
    if (point !== this.#point || --this.#left > 0) return
    process.kill(process.pid, 'SIGKILL')
    // The signal may take a moment, in which nothing more may leave this process.
    for (;;);
  }
}

/** A store whose commands to the ledger, and those under an Idempotency-Key, are crash points: `before hold`, `after hold`. */
export function crashingStore(store: Store, crash: Crash): Store {
  return { ...store, ledger: around(store.ledger, crash), idempotency: around(store.idempotency, crash) }
}

function around<T extends object>(port: T, crash: Crash): T {
  return new Proxy(port, {
    get: (target, name) => {
      const command: unknown = Reflect.get(target, name)
      if (typeof command !== 'function') return command
      return async (...request: unknown[]): Promise<unknown> => {
        crash.at(`before ${String(name)}`)
        const result: unknown = await Reflect.apply(command, target, request)
        crash.at(`after ${String(name)}`)
        return result
      }
    },
  })
}

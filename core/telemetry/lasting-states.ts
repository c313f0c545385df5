import { LOG_EVENTS, type LogEvent, type LogEventName } from '../runtime/log-events.js'

/** Interval between two lines of a lasting state, in milliseconds. */
const AGAIN_MS = 60_000
/** Most tracked states; far more than one gateway can have. */
const MOST = 10_000

interface State {
  readonly began: number
  written: number
  /** Reports since the last line. */
  repeated: number
}

/**
 * Lasting states, such as an unavailable database: logged when they begin, at most once a minute while reported again,
 * and when they end. Several parts of the gateway may report the same state.
 */
export class LastingStates {
  readonly #monotonic: () => number
  readonly #states = new Map<string, State>()

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Additional fields of a line, or null when it is not to be written. */
  track(name: LogEventName, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> | null {
    const event: LogEvent = LOG_EVENTS[name]
    if (event.ends !== undefined) return this.#end(event.ends, fields)
    return event.lasts === undefined ? {} : this.#report(idOf(name, event.lasts, fields))
  }

  #report(id: string): Readonly<Record<string, number>> | null {
    const now = this.#monotonic()
    const state = this.#states.get(id)
    if (state === undefined) {
      if (this.#states.size >= MOST) this.#states.clear()
      this.#states.set(id, { began: now, written: now, repeated: 0 })
      return {}
    }
    state.repeated++
    if (now - state.written < AGAIN_MS) return null
    const { repeated } = state
    Object.assign(state, { written: now, repeated: 0 })
    return { repeated, lasted_ms: Math.round(now - state.began) }
  }

  #end(begun: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> | null {
    const lasts = isEvent(begun) ? (eventOf(begun).lasts ?? []) : []
    const id = idOf(begun, lasts, fields)
    const state = this.#states.get(id)
    if (state === undefined) return null
    this.#states.delete(id)
    return { lasted_ms: Math.round(this.#monotonic() - state.began) }
  }
}

function eventOf(name: LogEventName): LogEvent {
  return LOG_EVENTS[name]
}

function isEvent(name: string): name is LogEventName {
  return Object.hasOwn(LOG_EVENTS, name)
}

function idOf(name: string, by: readonly string[], fields: Readonly<Record<string, unknown>>): string {
  return [name, ...by.map((field) => String(fields[field]))].join('\n')
}

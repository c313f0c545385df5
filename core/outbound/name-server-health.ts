import { randomBytes } from 'node:crypto'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { codeOf } from '../problems/own-lack.js'
import type { NameServers } from './name-servers.js'

/** Answers by which a name is known not to exist, or to have no address. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME', 'EAI_NODATA', 'EAI_NONAME', 'EBADNAME', 'EBADQUERY'])
/** Nobody listens at the servers' addresses, or the system's resolver says that none answers. */
const REFUSING = new Set(['ECONNREFUSED', 'EAI_AGAIN'])
/** Of a name that was not asked, since others of its domain wait for an answer. */
export const NOT_ASKED = 'ENOTASKED'
/** Failures that are either the name's own servers' or ours: no answer in time, or one that cannot tell. */
const UNANSWERED = new Set([NOT_ASKED, 'ETIMEOUT', 'ESERVFAIL', 'EREFUSED', 'ENOTIMP', 'EFORMERR', 'EBADRESP'])
/** Below it a name is made up that every name server with a way to the internet can answer for and none has in its cache, within so many milliseconds. */
const CONTROL = 'com'
const CONTROL_MS = 1_000
/** A question without an answer for so long, in milliseconds, has the control question asked beside it. */
const SUSPECT_MS = 500

/** Whether the configured name servers answer at all, so that a name whose own servers fail is distinguished from a gateway without name servers. */
export class NameServerHealth {
  readonly #servers: Pick<NameServers, 'open' | 'plan'>
  readonly #clock: Clock
  readonly #log: Log
  #control: Promise<boolean> | null = null
  #answeredAt = -Infinity
  #away = false

  constructor(servers: Pick<NameServers, 'open' | 'plan'>, clock: Clock, log: Log) {
    this.#servers = servers
    this.#clock = clock
    this.#log = log
  }

  /**
   * The answer to a question. Rejects with what the question ended with, or with an error of the code EAI_AGAIN when no name server answers anything,
   * within two seconds. What `ask` hands to `onAway` is then called, so that the question ends and holds no place.
   */
  async asking<T>(ask: (onAway: (listener: () => void) => void) => Promise<T>): Promise<T> {
    const started = this.#clock.monotonic()
    let stop: () => void = () => undefined
    const listeners: (() => void)[] = []
    const silence = new Promise<never>((_resolve, reject) => {
      stop = this.#clock.after(SUSPECT_MS, () => {
        void this.#asked().then((known) => {
          if (known || this.#answeredAt >= started) return
          reject(away(undefined))
          for (const listener of listeners) listener()
        })
      })
    })
    try {
      const answer = await Promise.race([ask((listener) => void listeners.push(listener)), silence])
      this.#answered()
      return answer
    } catch (error) {
      throw await this.#read(error, started)
    } finally {
      stop()
    }
  }

  #answered(): void {
    this.#answeredAt = this.#clock.monotonic()
    if (this.#away) this.#log('name-servers-back', 'name servers answer again')
    this.#away = false
  }

  async #read(error: unknown, started: number): Promise<unknown> {
    const code = codeOf(error)
    if (isUnknown(error)) this.#answered()
    if (REFUSING.has(code)) return this.#noServers(error)
    if (!UNANSWERED.has(code) || this.#answeredAt >= started) return error
    return (await this.#asked()) || this.#answeredAt >= started ? error : this.#noServers(error)
  }

  /** Whether the control question is answered; one at a time. */
  #asked(): Promise<boolean> {
    return (this.#control ??= this.#ask().finally(() => (this.#control = null)))
  }

  async #ask(): Promise<boolean> {
    const resolver = this.#servers.open(CONTROL_MS)
    try {
      await resolver.resolve4(`${randomBytes(8).toString('hex')}.${CONTROL}`)
      return true
    } catch (error) {
      return isUnknown(error)
    }
  }

  #noServers(cause: unknown): Error {
    this.#away = true
    const servers = this.#servers.plan.servers.map(({ host, port }) => `${host}:${port}`)
    this.#log('name-servers-away', 'no name server answers', { servers, error: codeOf(cause) })
    return away(cause)
  }
}

/** True for the errors by which a name is known not to exist, or to have no address. */
export function isUnknown(error: unknown): boolean {
  return NONE.has(codeOf(error))
}

function away(cause: unknown): Error {
  return Object.assign(new Error('no name server answers', { cause }), { code: 'EAI_AGAIN' })
}

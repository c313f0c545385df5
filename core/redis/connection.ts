import type { Redis } from 'ioredis'
import type { Clock } from '../runtime/clock.js'
import type { Log } from '../runtime/log-events.js'
import { Breaker } from './breaker.js'
import type { RedisLink, RedisState, Script } from './types.js'

const COMMAND_MS = 50
const FAILURES_IN_A_ROW = 3
const SKIP_MS = 1_000
/** Written by probes; its value is empty. */
const PROBE_KEY = 'capstan:probe'

interface ConnectionOptions {
  readonly setting: string
  /** Removed from every message. */
  readonly password: string
  readonly clock: Clock
  readonly log: Log
}

/** The one connection of a gateway to Redis, with a breaker: commands are answered within 50 ms or not at all. */
export class RedisConnection implements RedisLink {
  readonly #client: Redis
  readonly #options: ConnectionOptions
  readonly #breaker: Breaker
  readonly #listeners = new Set<(state: RedisState) => void>()
  /** Digests of scripts sent to the server. */
  readonly #sent = new Set<string>()
  #fault: string | null = null
  #shared = false
  /** The connection is up, but not in the configured database. */
  #wrongDatabase = false
  #open = true
  /** The state was logged at least once. */
  #logged = false

  constructor(client: Redis, options: ConnectionOptions) {
    this.#client = client
    this.#options = options
    this.#breaker = new Breaker(options.clock, {
      inARow: FAILURES_IN_A_ROW,
      skipMs: SKIP_MS,
      probe: () => this.#probe(),
      changed: () => this.#update(),
    })
    client.on('connect', () => (this.#wrongDatabase = false))
    client.on('error', (error: unknown) => {
      this.#note(error)
      // The client continues in database 0, which may belong to another program.
      if (messageOf(error).includes('DB index')) this.#wrongDatabase = true
    })
    client.on('close', () => {
      this.#fault ??= 'the connection was lost'
      this.#update()
    })
    client.on('ready', () => this.#update())
  }

  /** The last error, without the password; null while Redis answers. */
  get fault(): string | null {
    return this.#fault
  }

  /** Waits at most `ms` until the connection is ready or closed; probes it with a write when ready. */
  async firstAnswer(ms: number): Promise<void> {
    const client = this.#client
    await new Promise<void>((resolve) => {
      const stop = this.#options.clock.after(ms, resolve)
      for (const event of ['ready', 'close'] as const)
        client.once(event, () => {
          stop()
          resolve()
        })
    })
    if (this.#ready) await this.#probe()
  }

  /** Logs that limits are not shared, unless they are. */
  warnIfAlone(): void {
    if (!this.#shared) this.#logState()
  }

  async run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return await this.#send(() => this.#script(script, keys, args))
  }

  async call(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return await this.#send(() => this.#client.call(command, [...args]))
  }

  state(): RedisState {
    if (this.#shared) return { shared: true, detail: 'answers' }
    return { shared: false, detail: `does not answer (${this.#fault ?? 'no connection yet'}); limits are this replica's share` }
  }

  onChange(listener: (state: RedisState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#open = false
    this.#breaker.close()
    this.#client.disconnect()
  }

  get #ready(): boolean {
    return this.#client.status === 'ready' && !this.#wrongDatabase
  }

  async #send(send: () => Promise<unknown>): Promise<unknown> {
    if (!this.#ready || !this.#breaker.closed) return null
    try {
      const reply = await this.#inTime(send())
      this.#breaker.succeeded()
      this.#fault = null
      return reply
    } catch (error) {
      this.#note(error)
      this.#breaker.failed()
      return null
    }
  }

  /** Runs a script by digest once its text was sent; sends the text again after a restart or SCRIPT FLUSH. */
  async #script(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    const rest = [keys.length, ...keys, ...args]
    if (this.#sent.has(script.sha)) {
      try {
        return await this.#client.call('EVALSHA', [script.sha, ...rest])
      } catch (error) {
        if (!messageOf(error).startsWith('NOSCRIPT')) throw error
      }
    }
    const reply = await this.#client.call('EVAL', [script.lua, ...rest])
    this.#sent.add(script.sha)
    return reply
  }

  /**
   * The command's result, or a rejection after 50 ms. While the process was busy the reply may have arrived together
   * with the timer, so that arrived data is read first. The client's own timeout does not do that.
   */
  #inTime(work: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const stop = this.#options.clock.after(COMMAND_MS, () => {
        setImmediate(() => reject(new Error(`no answer within ${COMMAND_MS} ms`)))
      })
      work.then(resolve, reject).finally(stop)
    })
  }

  /** Probes with a write, because a full server and a read-only replica also answer PING. */
  async #probe(): Promise<boolean> {
    if (!this.#ready) return false
    try {
      await this.#inTime(this.#client.set(PROBE_KEY, '', 'PX', SKIP_MS))
      return true
    } catch (error) {
      this.#note(error)
      return false
    }
  }

  #note(error: unknown): void {
    const { password } = this.#options
    // Errors of the client carry the command, and so the password, as a property: only their text is kept.
    const text = messageOf(error)
    this.#fault = (password === '' ? text : text.replaceAll(password, '***')).slice(0, 200)
  }

  /** Updates the state; logs a change and notifies listeners. */
  #update(): void {
    const shared = this.#ready && this.#breaker.closed
    if (shared) this.#fault = null
    if (shared === this.#shared || !this.#open) return
    this.#shared = shared
    this.#logState()
    const state = this.state()
    for (const listener of this.#listeners) listener(state)
  }

  #logState(): void {
    const { setting, log } = this.#options
    const event = !this.#shared ? 'redis-away' : this.#logged ? 'redis-back' : 'redis-shared'
    this.#logged = true
    log(event, `Redis (${setting}) ${this.state().detail}${this.#shared ? ': limits are shared between replicas' : ''}`)
  }
}

/** The text of an error; a failure to connect to several addresses has no message, only a code. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}

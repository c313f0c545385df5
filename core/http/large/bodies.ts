import { setImmediate as turn } from 'node:timers/promises'
import { Problem, type ValidationItem } from '../../problems/problem.js'
import { Cancel } from '../../runtime/cancel.js'
import type { Clock } from '../../runtime/clock.js'
import { attach, type Detached } from '../../runtime/detach.js'
import { IdleThread, ThreadFailure } from '../../runtime/idle-thread.js'
import { NoPlace, Semaphore } from '../../runtime/semaphore.js'
import type { TSchema } from '../../sdk/index.js'
import type { CheckPoint, SentBody } from '../sent-body.js'

/** Requests to the worker: parse a body, then check or discard it. It holds one body at a time. */
export type ToBodyWorker =
  | {
      readonly kind: 'open'
      /** The first `length` bytes are the body; the buffer is transferred. */
      readonly buffer: ArrayBuffer
      readonly length: number
      /** The other parts of the fingerprint; null when none is needed. */
      readonly request: { readonly method: string; readonly path: string } | null
      /** The body is one of `/v1/agent`. */
      readonly agent: boolean
    }
  | {
      readonly kind: 'check'
      /** The JSON text of a schema. */
      readonly schema: string
      readonly at: 'body' | 'params'
    }
  | { readonly kind: 'forget' }

/** A refusal for transfer between threads. */
export interface SentProblem {
  readonly slug: Problem['slug']
  readonly detail: string
  /** The remedy where it differs from the catalogue's. */
  readonly action: string | null
  readonly validation: readonly ValidationItem[] | null
}

interface OpenedBody {
  readonly fingerprint: string | null
  /** The capability that a body of `/v1/agent` names, else empty. */
  readonly capability: string
}

export type FromBodyWorker =
  | { readonly kind: 'opened'; readonly opened: OpenedBody }
  | { readonly kind: 'checked'; readonly input: Detached }
  | { readonly kind: 'refused'; readonly problem: SentProblem }
  | { readonly kind: 'failed'; readonly internal: string }

type BodyThread = IdleThread<ToBodyWorker, FromBodyWorker>

/** Most bytes of bodies that wait for the thread. */
const MOST_WAITING = 96 * 1024 * 1024
/** Longest wait of a body for the thread, in milliseconds. */
const LONGEST_WAIT_MS = 30_000

/** A received large body, and how to read it. */
type LargeBodyOptions = Omit<Extract<ToBodyWorker, { kind: 'open' }>, 'kind'> & { readonly account: string }

/** Parses and checks large bodies on a separate thread, so that they do not block the event loop. */
export class LargeBodies {
  readonly #thread: BodyThread
  readonly #clock: Clock
  readonly #place: Semaphore
  readonly #schemas = new WeakMap<TSchema, string>()

  constructor(clock: Clock, thread: BodyThread = bodyThread(clock)) {
    this.#thread = thread
    this.#clock = clock
    this.#place = new Semaphore(clock, 1, { mostBytes: MOST_WAITING })
  }

  /**
   * Parses a body, one at a time, fairly by account; `close` of the result must be called. Throws what `parseObject`
   * and the check of `/v1/agent` throw, and `overloaded` when too many wait.
   */
  async open(options: LargeBodyOptions): Promise<SentBody> {
    const leave = await this.#enter(options)
    try {
      const { buffer, length, request, agent } = options
      const reply = await this.#request({ kind: 'open', buffer, length, request, agent }, [buffer])
      if (reply.kind !== 'opened') throw new Error('unexpected reply of the thread for large bodies')
      return this.#body(options, reply.opened, leave)
    } catch (error) {
      this.#leave(leave)
      throw error
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #enter({ account, length }: LargeBodyOptions): Promise<() => void> {
    try {
      return await this.#place.take(new Cancel(this.#clock, this.#clock.monotonic() + LONGEST_WAIT_MS, account), length)
    } catch (error) {
      if (!(error instanceof NoPlace)) throw error
      const { retryAfterSeconds } = error
      throw new Problem('overloaded', 'Too many large bodies are waiting to be parsed.', { retryAfterSeconds })
    }
  }

  #body({ length }: LargeBodyOptions, { fingerprint, capability }: OpenedBody, leave: () => void): SentBody {
    let open = true
    const close = (): void => {
      if (open) this.#thread.send({ kind: 'forget' })
      if (open) this.#leave(leave)
      open = false
    }
    return {
      bytes: length,
      fingerprint,
      capability: () => capability,
      input: async ({ schema }, at: CheckPoint) => {
        const reply = await this.#request({ kind: 'check', schema: this.#textOf(schema), at }, []).finally(() => {
          if (open) this.#leave(leave)
          open = false
        })
        if (reply.kind !== 'checked') throw new Error('unexpected reply of the thread for large bodies')
        const input = await attach(reply.input)
        // The caller processes the input in a separate turn.
        await turn()
        return input
      },
      close,
    }
  }

  async #request(message: ToBodyWorker, moved: readonly ArrayBuffer[]): Promise<Exclude<FromBodyWorker, { kind: 'refused' | 'failed' }>> {
    const reply = await this.#thread.request(message, moved).catch((error: unknown) => {
      throw refusalOf(error)
    })
    if (reply.kind === 'failed') throw new Error(reply.internal)
    if (reply.kind !== 'refused') return reply
    const { slug, detail, action, validation } = reply.problem
    throw new Problem(slug, detail, { ...(action === null ? {} : { action }), ...(validation === null ? {} : { validation }) })
  }

  #leave(leave: () => void): void {
    this.#thread.rest()
    leave()
  }

  #textOf(schema: TSchema): string {
    const known = this.#schemas.get(schema)
    if (known !== undefined) return known
    const text = JSON.stringify(schema)
    this.#schemas.set(schema, text)
    return text
  }
}

/** The thread that reads large bodies. */
export function bodyThread(clock: Clock, script = new URL('./worker.js', import.meta.url)): BodyThread {
  return new IdleThread(clock, { script, name: 'large bodies' })
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof ThreadFailure)) return error
  switch (error.reason) {
    case 'memory':
      return new Problem('malformed-request', 'The body needs too much memory to read.', { cause: error })
    case 'time':
      return new Problem('overloaded', 'The body took too long to read.', { retryAfterSeconds: 5, cause: error })
    case 'ended':
      return error
  }
}

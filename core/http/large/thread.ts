import { Worker } from 'node:worker_threads'
import type { Clock } from '../../clock.js'
import { Problem } from '../../problems/problem.js'
import type { FromBodyWorker, ToBodyWorker } from './messages.js'

const IDLE_MS = 60_000
/** Milliseconds for one message: a body of 24 MiB takes less than one second. */
const LIMIT_MS = 20_000
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }

/** The worker thread that reads large bodies: started at first need, ended after a minute without any. */
export class BodyThread {
  readonly #clock: Clock
  readonly #script: URL
  #worker: Worker | null = null
  #stopIdle: () => void = () => undefined

  constructor(clock: Clock, script = new URL('./worker.js', import.meta.url)) {
    this.#clock = clock
    this.#script = script
  }

  /** The answer to a message; one at a time. Throws the refusal of the body, and when the thread ends or takes too long. */
  async ask(message: ToBodyWorker, moved: readonly ArrayBuffer[] = []): Promise<Exclude<FromBodyWorker, { kind: 'refused' | 'failed' }>> {
    const reply = await this.#reply(this.#start(), message, moved)
    if (reply.kind === 'failed') throw new Error(reply.internal)
    if (reply.kind !== 'refused') return reply
    const { slug, detail, validation } = reply.problem
    throw new Problem(slug, detail, validation === null ? {} : { validation })
  }

  /** Lets go of the body that the thread holds. */
  forget(): void {
    this.#worker?.postMessage({ kind: 'forget' } satisfies ToBodyWorker)
  }

  /** From now on nobody waits for the thread: it ends after a minute, unless it is asked again. */
  rest(): void {
    this.#stopIdle()
    if (this.#worker !== null) this.#stopIdle = this.#clock.after(IDLE_MS, () => void this.close())
  }

  /** Ends the thread, if there is one. */
  async close(): Promise<void> {
    this.#stopIdle()
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  /** True while the thread runs. */
  get running(): boolean {
    return this.#worker !== null
  }

  #start(): Worker {
    this.#stopIdle()
    if (this.#worker !== null) return this.#worker
    // Secrets of the gateway are not for parsers.
    const worker = new Worker(this.#script, { name: 'large bodies', env: {}, resourceLimits: HEAP })
    const gone = (): void => {
      if (this.#worker === worker) this.#worker = null
    }
    // What happens while nobody asks has nobody to tell; the next body starts another thread.
    worker.on('error', gone).once('exit', gone)
    worker.unref()
    this.#worker = worker
    return worker
  }

  #reply(worker: Worker, message: ToBodyWorker, moved: readonly ArrayBuffer[]): Promise<FromBodyWorker> {
    return new Promise((resolve, reject) => {
      const onMessage = (reply: FromBodyWorker): void => settle(() => resolve(reply))
      const onError = (error: Error): void => settle(() => reject(failure(error)))
      const onExit = (): void => settle(() => reject(new Error('the thread for large bodies ended early')))
      const stop = this.#clock.after(LIMIT_MS, () => {
        settle(() => reject(new Problem('overloaded', 'The body took too long to read.', { retryAfterSeconds: 5 })))
        void this.close()
      })
      const settle = (then: () => void): void => {
        stop()
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        worker.unref()
        then()
      }
      worker.once('message', onMessage).once('error', onError).once('exit', onExit)
      worker.ref()
      worker.postMessage(message, [...moved])
    })
  }
}

function failure(error: Error): Error {
  const outOfHeap = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return outOfHeap ? new Problem('malformed-request', 'The body needs too much memory to read.') : error
}

import { Worker } from 'node:worker_threads'
import type { Clock } from './clock.js'

const IDLE_MS = 60_000
/** Time limit of one message in milliseconds: the work of these threads takes less than one second. */
const LIMIT_MS = 20_000
const HEAP = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 }

/** A thread did not answer: it ran out of memory or time, or it ended. */
export class ThreadFailure extends Error {
  readonly reason: 'memory' | 'time' | 'ended'

  constructor(reason: ThreadFailure['reason'], cause?: Error) {
    super(cause === undefined ? `the thread gave no answer (${reason})` : cause.message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** A worker thread that answers one message at a time: started on first use, ended after an idle minute. */
export class IdleThread<In, Out> {
  readonly #clock: Clock
  readonly #script: URL
  readonly #name: string
  #worker: Worker | null = null
  #stopIdle: () => void = () => undefined

  constructor(clock: Clock, { script, name }: { readonly script: URL; readonly name: string }) {
    this.#clock = clock
    this.#script = script
    this.#name = name
  }

  /** The answer to a message; the buffers in `moved` are transferred to the thread. Throws ThreadFailure; the next message starts another thread. */
  request(message: In, moved: readonly ArrayBuffer[] = []): Promise<Out> {
    const worker = this.#start()
    return new Promise((resolve, reject) => {
      const onMessage = (reply: Out): void => settle(() => resolve(reply))
      const onError = (error: Error): void =>
        settle(() => reject(new ThreadFailure('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'ended', error)))
      const onExit = (): void => settle(() => reject(new ThreadFailure('ended')))
      const stop = this.#clock.after(LIMIT_MS, () => {
        settle(() => reject(new ThreadFailure('time')))
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

  /** Sends a message without an answer to a running thread. */
  send(message: In): void {
    this.#worker?.postMessage(message)
  }

  /** Marks the thread as idle: it ends after a minute unless it is used again. */
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
    // Parsers must not see secrets of the gateway.
    const worker = new Worker(this.#script, { name: this.#name, env: {}, resourceLimits: HEAP })
    const gone = (): void => {
      if (this.#worker === worker) this.#worker = null
    }
    // An error while idle concerns no caller.
    worker.on('error', gone).once('exit', gone)
    worker.unref()
    this.#worker = worker
    return worker
  }
}

import { Worker, type ResourceLimits } from 'node:worker_threads'
import { openEngine, type EngineOptions } from './engine.js'
import { BatchQueue } from './batch-queue.js'
import { openReader } from './reader.js'
import { StoreRefused } from '../types.js'
import type { FromWriter, ToWriter } from './thread-messages.js'

/** Runs commands, until closed. */
export interface Thread {
  readonly queue: BatchQueue
  readonly close: () => Promise<void>
}

/** Runs commands on the calling thread, all of one turn in one commit: command-line tools and tests. */
export function sameThread(options: EngineOptions): Promise<Thread> {
  return Promise.resolve().then(() => {
    const { db, runner, checkpoints } = openEngine(options, 'shared')
    const queue: BatchQueue = new BatchQueue((batch) => {
      if (batch.reads.length > 0) queue.settle('reads', runner.reads(batch.reads))
      if (batch.writes.length === 0) return
      queue.settle('writes', runner.writes(batch.writes))
      checkpoints.copyIfDue()
    })
    const close = () => {
      queue.flush()
      queue.close('the store is closed')
      db.close()
      return Promise.resolve()
    }
    return { queue, close }
  })
}

/** Runs reads on the calling thread, on a separate connection opened at first use. */
export function sameThreadReader(options: EngineOptions): Thread {
  let reader: ReturnType<typeof openReader> | null = null
  const queue: BatchQueue = new BatchQueue((batch) => {
    reader ??= openReader(options)
    queue.settle('reads', reader.reads(batch.reads))
  })
  const close = () => {
    queue.flush()
    queue.close('the store is closed')
    reader?.close()
    return Promise.resolve()
  }
  return { queue, close }
}

interface ThreadOptions {
  readonly name: string
  readonly script: URL
  readonly engine: EngineOptions
  readonly heap: ResourceLimits
  /** Ends after this many ms without a command; the next one starts it again. Never by default. */
  readonly idleMs?: number
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/** Pause after the second failed start in a row, doubled by each further one up to the longest, in milliseconds. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000

/**
 * A worker that runs batches. When its thread dies, open calls are rejected, and the next batch starts another: at once
 * the first time, then after growing pauses until one answers a batch.
 */
class BatchWorker implements Thread {
  readonly queue: BatchQueue
  readonly #options: ThreadOptions
  #worker: Worker | null = null
  #ended: Promise<void> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  readonly #now: () => number
  /** Threads in a row that ended without an answer, why the last one did, and when another may start. */
  #lost = { count: 0, why: '', until: 0 }

  constructor(options: ThreadOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    this.queue = new BatchQueue((batch) => {
      clearTimeout(this.#idle)
      const { why, until } = this.#lost
      if (this.#worker === null && this.#now() < until)
        this.queue.fail(`the thread "${options.name}" is not started again yet${why}`, false)
      else this.start().postMessage(batch satisfies ToWriter)
    })
  }

  start(): Worker {
    if (this.#worker !== null) return this.#worker
    const { script, engine, heap, name } = this.#options
    const workerData: EngineOptions = this.#lost.count === 0 ? engine : { ...engine, reopened: true }
    const started = new Worker(script, { workerData, resourceLimits: heap, name })
    this.#worker = started
    const lost = (why: string, taken = true) => {
      if (this.#worker !== started) return
      this.#worker = null
      this.#noteLost(why)
      this.queue.fail(`the thread "${name}" ended${why}${taken ? ': the outcome of open commands is unknown' : ''}`, taken)
    }
    started.on('message', (message: FromWriter) => {
      if (message.kind === 'refused') lost(` (${message.message})`, false)
      if (message.kind === 'reads' || message.kind === 'writes') {
        this.#lost = { ...this.#lost, count: 0, until: 0 }
        this.queue.settle(message.kind, message.results)
      }
      this.#waitIdle()
    })
    started.on('error', (error) => lost(` (${error.message})`))
    started.on('exit', () => lost(''))
    return started
  }

  #noteLost(why: string): void {
    const count = this.#lost.count + 1
    const pauseMs = count === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 2))
    this.#lost = { count, why, until: this.#now() + pauseMs }
  }

  #waitIdle(): void {
    clearTimeout(this.#idle)
    if (this.#options.idleMs === undefined || !this.queue.idle) return
    this.#idle = setTimeout(() => this.#end(), this.#options.idleMs)
    this.#idle.unref()
  }

  #end(): void {
    const last = this.#worker
    if (last === null) return
    this.#worker = null
    this.#ended = new Promise<void>((resolve) => {
      last.once('exit', () => resolve())
      last.postMessage('close' satisfies ToWriter)
    })
  }

  async close(): Promise<void> {
    this.queue.flush()
    this.queue.close('the store is closed')
    clearTimeout(this.#idle)
    const last = this.#worker
    if (last !== null) {
      await new Promise<void>((resolve) => {
        last.once('exit', () => resolve())
        last.postMessage('close' satisfies ToWriter)
      })
    }
    await this.#ended
  }
}

/** Heap of the writer, which keeps only prepared statements and the current batch. */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 }

/** Runs commands on a separate thread: waiting for the disk never blocks the event loop. A dead thread is restarted. */
export async function workerThread(
  engine: EngineOptions,
  script = new URL('./writer.js', import.meta.url),
  now?: () => number,
): Promise<Thread> {
  const worker = new BatchWorker({ name: 'ledger', script, engine, heap: HEAP, ...(now === undefined ? {} : { now }) })
  await ready(worker.start())
  return { queue: worker.queue, close: () => worker.close() }
}

/** Heap of the reader, for the largest page. */
const READER_HEAP = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }
const READER_IDLE_MS = 60_000

/** Runs reads on a separate thread and read-only connection, started at first use and ended after an idle minute. */
export function readerThread(
  engine: EngineOptions,
  { idleMs = READER_IDLE_MS, script = new URL('./reader-thread.js', import.meta.url) } = {},
): Thread {
  const worker = new BatchWorker({ name: 'ledger reads', script, engine, heap: READER_HEAP, idleMs })
  return { queue: worker.queue, close: () => worker.close() }
}

/** Waits until the thread has opened the file; rejects with StoreRefused. */
function ready(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (message: FromWriter) => {
      worker.off('error', reject)
      if (message.kind === 'refused') reject(new StoreRefused(message.message))
      else resolve()
    })
  })
}

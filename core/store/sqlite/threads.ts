import { Worker } from 'node:worker_threads'
import { openEngine, type EngineOptions } from './engine.js'
import { BatchQueue } from './batch-queue.js'
import { StoreRefused } from '../refused.js'
import type { FromWriter, ToWriter } from './writer.js'

/** A way to run commands, and how to end it. */
export interface Thread {
  readonly queue: BatchQueue
  readonly close: () => Promise<void>
}

/** Runs commands on the calling thread, all of one turn in one commit: command-line tools and tests. */
export function sameThread(options: EngineOptions): Promise<Thread> {
  return Promise.resolve().then(() => {
    const { db, runner } = openEngine(options)
    const queue: BatchQueue = new BatchQueue((batch) => {
      if (batch.reads.length > 0) queue.settle('reads', runner.reads(batch.reads))
      if (batch.writes.length > 0) queue.settle('writes', runner.writes(batch.writes))
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

/** Heap of the writer; it keeps nothing but prepared statements and the batch at hand. */
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 }

/** Runs commands on a thread of their own, so that waiting for the disk never stops the event loop. A thread that dies is started again by the next call. */
export async function workerThread(options: EngineOptions, script = new URL('./writer.js', import.meta.url)): Promise<Thread> {
  let worker: Worker | null = null
  let ending = false

  const start = (): Worker => {
    const started = new Worker(script, { workerData: options, resourceLimits: HEAP, name: 'ledger' })
    const lost = (why: string) => {
      if (worker !== started) return
      worker = null
      queue.fail(`the ledger's thread ended${why}: the outcome of open commands is unknown`)
    }
    started.on('message', (message: FromWriter) => {
      if (message.kind === 'reads' || message.kind === 'writes') queue.settle(message.kind, message.results)
    })
    started.on('error', (error) => lost(` (${error.message})`))
    started.on('exit', () => lost(''))
    return started
  }

  const queue: BatchQueue = new BatchQueue((batch) => {
    worker ??= start()
    const message: ToWriter = batch
    worker.postMessage(message)
  })

  worker = start()
  await ready(worker)

  const close = async () => {
    if (ending) return
    ending = true
    queue.flush()
    queue.close('the store is closed')
    const last = worker
    if (last === null) return
    const message: ToWriter = 'close'
    await new Promise<void>((resolve) => {
      last.once('exit', () => resolve())
      last.postMessage(message)
    })
  }
  return { queue, close }
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

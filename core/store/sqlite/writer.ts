import { parentPort, receiveMessageOnPort } from 'node:worker_threads'
import type { StoreCall } from './batch.js'
import { openEngine, type EngineOptions } from './engine.js'
import { optionsOfThread, type FromWriter, type ToWriter } from './thread-messages.js'

/** Most batches per commit, so that the first caller never waits for long. */
const MOST_BATCHES = 64

function main(port: NonNullable<typeof parentPort>, options: EngineOptions): void {
  const post = (message: FromWriter) => port.postMessage(message)
  const { db, runner, checkpoints, assertThere } = openEngine(options, 'own')

  const drain = (first: ToWriter): { reads: StoreCall[]; writes: StoreCall[]; closing: boolean } => {
    const reads: StoreCall[] = []
    const writes: StoreCall[] = []
    let next: { message: ToWriter } | undefined = { message: first }
    for (let taken = 0; next !== undefined; next = receiveMessageOnPort(port)) {
      if (next.message === 'close') return { reads, writes, closing: true }
      reads.push(...next.message.reads)
      writes.push(...next.message.writes)
      if (++taken === MOST_BATCHES) break
    }
    return { reads, writes, closing: false }
  }

  port.on('message', (message: ToWriter) => {
    const { reads, writes, closing } = drain(message)
    if (reads.length > 0) post({ kind: 'reads', results: runner.reads(reads) })
    if (writes.length > 0) {
      assertThere()
      post({ kind: 'writes', results: runner.writes(writes) })
    }
    if (!closing) return writes.length > 0 ? checkpoints.copyIfDue() : undefined
    db.close()
    port.close()
  })
  post({ kind: 'ready' })
}

if (parentPort === null) throw new Error('this module is started as a worker thread by the store')
try {
  main(parentPort, optionsOfThread())
} catch (error) {
  const message: FromWriter = { kind: 'refused', message: error instanceof Error ? error.message : String(error) }
  parentPort.postMessage(message)
  parentPort.close()
}

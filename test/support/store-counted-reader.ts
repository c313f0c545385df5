import { appendFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

/** The real reader, which notes each of its starts in a file beside the ledger. */
const { file } = workerData as { file: string }
appendFileSync(`${file}.starts`, 'x')
await import('../../core/store/sqlite/reader-thread.js')

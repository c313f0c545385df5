import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

/** A reader that dies at its first batch, the first time it is started on a file; after that the real one. */
const { file } = workerData as { file: string }
const mark = `${file}.died`
if (existsSync(mark)) await import('../../core/store/sqlite/reader-thread.js')
else {
  parentPort?.on('message', () => {
    writeFileSync(mark, '')
    process.exit(1)
  })
}

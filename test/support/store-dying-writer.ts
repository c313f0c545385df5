import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { openEngine, type EngineOptions } from '../../core/store/sqlite/engine.js'

/** A writer that makes the file and dies at its first batch, the first time it is started on it; after that the real one. */
const options = workerData as EngineOptions
const { file } = options
const mark = `${file}.died`
if (existsSync(mark)) await import('../../core/store/sqlite/writer.js')
else {
  openEngine(options, 'own').db.close()
  parentPort?.on('message', () => {
    writeFileSync(mark, '')
    process.exit(1)
  })
  parentPort?.postMessage({ kind: 'ready' })
}

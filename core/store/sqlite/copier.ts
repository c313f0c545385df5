import { isMainThread, workerData } from 'node:worker_threads'
import type { CopyJob } from './backup.js'
import { lowerPriority } from '../../runtime/threads.js'
import { trusted } from '../../sdk/trusted.js'
import { Database } from './database.js'

if (isMainThread) throw new Error('this module is started as a worker thread by the store')
const { source, target } = trusted<CopyJob>(workerData)
if (target !== null) lowerPriority()
const db = new Database({ file: source, busyMs: target === null ? 0 : 10_000 })
try {
  if (target === null) db.query('pragma wal_checkpoint(passive)').get()
  else db.query('vacuum into ?').run(target)
} finally {
  db.close()
}

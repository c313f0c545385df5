import { isMainThread, workerData } from 'node:worker_threads'
import type { BackupJob } from './backup.js'
import { lowerPriority } from '../../runtime/threads.js'
import { trusted } from '../../sdk/trusted.js'
import { Database } from './database.js'

if (isMainThread) throw new Error('this module is started as a worker thread by the backup')
const job = trusted<BackupJob>(workerData)
lowerPriority()
const db = new Database({ file: job.source, busyMs: 10_000 })
try {
  db.query('vacuum into ?').run(job.target)
} finally {
  db.close()
}

import { workerData } from 'node:worker_threads'
import type { BackupJob } from './backup.js'
import { lowerPriority } from '../../low-priority.js'
import { Database } from './database.js'

function isJob(value: unknown): value is BackupJob {
  return typeof value === 'object' && value !== null && 'source' in value && 'target' in value
}

const job: unknown = workerData
if (!isJob(job)) throw new Error('this module is started as a worker thread by the backup')
lowerPriority()
const db = new Database({ file: job.source, busyMs: 10_000 })
try {
  db.query('vacuum into ?').run(job.target)
} finally {
  db.close()
}

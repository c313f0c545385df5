import { workerData } from 'node:worker_threads'
import { Database } from './database.js'

const file: unknown = workerData
if (typeof file !== 'string') throw new Error('this module is started as a worker thread by the writer')
const db = new Database({ file, busyMs: 0 })
try {
  db.query('pragma wal_checkpoint(passive)').get()
} finally {
  db.close()
}

import { Worker } from 'node:worker_threads'
import type { AuditOptions } from './ledger.js'
import type { AuditReport } from './report.js'

/** Audits a ledger file on a separate thread, so that it does not block the event loop. Rejects when the thread ends before its report. */
export function auditInThread(options: AuditOptions, script = new URL('./worker.js', import.meta.url)): Promise<AuditReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: options, name: 'audit' })
    worker.once('message', (report: AuditReport) => resolve(report))
    worker.once('error', (error) => reject(new Error(`the audit was ended: ${error.message}`, { cause: error })))
    worker.once('exit', () => reject(new Error('the audit was ended')))
  })
}

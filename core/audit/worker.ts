import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../low-priority.js'
import { auditLedger, type AuditOptions } from './ledger.js'

function isOptions(value: unknown): value is AuditOptions {
  return typeof value === 'object' && value !== null && 'file' in value
}

const options: unknown = workerData
if (parentPort === null || !isOptions(options)) throw new Error('this module is started as a worker thread by the auditor')
lowerPriority()
parentPort.postMessage(auditLedger(options))

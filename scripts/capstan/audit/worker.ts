import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../../core/runtime/threads.js'
import { trusted } from '../../../core/sdk/trusted.js'
import { auditLedger, type AuditOptions } from './ledger.js'

if (parentPort === null) throw new Error('this module is started as a worker thread by the auditor')
const options = trusted<AuditOptions>(workerData)
lowerPriority()
parentPort.postMessage(auditLedger(options))

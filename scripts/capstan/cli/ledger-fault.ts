import { closeSync, openSync, readSync } from 'node:fs'
import { databaseFault, isAbsent } from '../../../core/runtime/file-faults.js'

/** The first bytes of every SQLite file (sqlite.org/fileformat.html). */
const MAGIC = 'SQLite format 3\0'

/** Why a file cannot be read as a ledger, or null; the sentence names the file and the setting. */
export function ledgerFault(file: string): string | null {
  if (isAbsent(file))
    return `there is no ledger at ${file} yet: the first start of the gateway creates it; CAPSTAN_DATA and CAPSTAN_STORE must be those of the gateway`
  const fault = databaseFault(file) ?? (isDatabase(file) ? null : 'the file is not a database')
  return fault === null ? null : `the store setting (CAPSTAN_STORE): ${file}: ${fault}`
}

/** An empty file is a database without tables. */
function isDatabase(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const head = Buffer.alloc(MAGIC.length)
    const length = readSync(descriptor, head, 0, head.length, 0)
    return length === 0 || head.toString('latin1', 0, length) === MAGIC
  } finally {
    closeSync(descriptor)
  }
}

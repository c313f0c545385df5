import { mkdirSync } from 'node:fs'
import { fileFault } from '../../runtime/file-faults.js'
import { StoreRefused } from '../refused.js'

/** Creates a ledger's folder, readable by its owner alone. Throws StoreRefused with one line for the operator. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StoreRefused(`the folder ${folder} cannot be created: ${fileFault(error)}; name another one or change its rights`, {
      cause: error,
    })
  }
}

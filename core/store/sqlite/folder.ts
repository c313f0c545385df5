import { mkdirSync } from 'node:fs'
import { fileFault } from '../../runtime/file-faults.js'
import { StoreRefused } from '../refused.js'

/** Makes a folder for a ledger, readable by its owner alone. Throws StoreRefused, one line for the operator, when it cannot be made. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StoreRefused(`the folder ${folder} cannot be made: ${fileFault(error)}; name another one or change its rights`, {
      cause: error,
    })
  }
}

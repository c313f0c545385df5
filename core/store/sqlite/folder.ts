import { mkdirSync } from 'node:fs'
import { StoreRefused } from '../refused.js'

/** Makes a folder for a ledger, readable by its owner alone. Throws StoreRefused, one line for the operator, when it cannot be made. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new StoreRefused(`the folder ${folder} cannot be made (${why}): name another one or change its rights`, { cause: error })
  }
}

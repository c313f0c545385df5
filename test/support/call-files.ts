import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './time.js'

/** Files of calls that lie below the folder for temporary files, in whatever gateway's. One that is deleted meanwhile is none. */
function callFiles(folder: string): string[] {
  const below = (at: string): string[] => {
    try {
      return readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
        const path = join(at, entry.name)
        if (entry.isDirectory()) return below(path)
        return /^[0-9a-f]{32}$/.test(entry.name) ? [path] : []
      })
    } catch (error) {
      if (existsSync(at)) throw error
      return []
    }
  }
  return below(folder)
}

/** Resolves once no file of a call is left below a folder; fails when one stays. */
export async function noCallFiles(folder: string): Promise<void> {
  await until(() => callFiles(folder).length === 0, 5_000)
}

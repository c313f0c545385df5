import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Programs that are ending may still have a file open, or be deleting it. */
const ENDING_MS = 2_000

/** Ends processes that have inherited a variable of this value, and answers what they were. */
export function endLeftovers(variable, value) {
  const found = []
  for (const pid of existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []) {
    try {
      if (Number(pid) === process.pid || !readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${variable}=${value}`))
        continue
      found.push(`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)}`)
      process.kill(Number(pid), 'SIGKILL')
    } catch (error) {
      if (!['ENOENT', 'EACCES', 'EPERM', 'ESRCH'].includes(error.code)) throw error
    }
  }
  return found
}

/** Deletes what lies in a folder that should be empty, and answers the names. What goes by itself within a moment is not counted. */
export async function clearLeftovers(folder) {
  for (const end = performance.now() + ENDING_MS; readdirSync(folder).length > 0 && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 20))
  const names = readdirSync(folder)
  for (const name of names) rmSync(join(folder, name), { recursive: true, force: true })
  return names
}

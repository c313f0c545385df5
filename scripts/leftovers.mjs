import { existsSync, readdirSync, readFileSync } from 'node:fs'

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

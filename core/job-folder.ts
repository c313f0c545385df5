import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from './problems/problem.js'

/** Errors that say that this machine has no room for a file (errno(3)), in words. */
const LACKS: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', 'room for temporary files (TMPDIR)'],
  ['EDQUOT', 'room for temporary files (the quota of its user below TMPDIR)'],
  ['EMFILE', 'file descriptors (ulimit -n, LimitNOFILE=)'],
  ['ENFILE', 'file descriptors of the machine (fs.file-max)'],
])

/** A private folder for one piece of work, which deletes it. Rejects as `inRoom`. */
export function jobFolder(): Promise<string> {
  return inRoom(() => mkdtemp(join(tmpdir(), 'job-')))
}

/** Does work with temporary files. Rejects with Problem `overloaded` when there is no room for them: no provider is to blame for that. */
export async function inRoom<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const lack = LACKS.get(code)
    if (lack === undefined) throw error
    throw new Problem('overloaded', `The gateway lacks ${lack}.`, { retryAfterSeconds: 5, internal: String(code), cause: error })
  }
}

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownShortage } from '../problems/own-shortage.js'

/** Creates a private folder; the caller deletes it. Rejects as `withSpace`. */
export function jobFolder(): Promise<string> {
  return withSpace(() => mkdtemp(join(tmpdir(), 'job-')))
}

/** Runs work with temporary files. Rejects with `overloaded` when there is no space for them. */
export async function withSpace<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw ownShortage(error) ?? error
  }
}

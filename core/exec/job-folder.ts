import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownLack } from '../problems/own-lack.js'

/** Creates a private folder; the caller deletes it. Rejects as `inRoom`. */
export function jobFolder(): Promise<string> {
  return inRoom(() => mkdtemp(join(tmpdir(), 'job-')))
}

/** Runs work with temporary files. Rejects with `overloaded` when there is no space for them. */
export async function inRoom<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw ownLack(error) ?? error
  }
}

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownLack } from '../problems/own-lack.js'

/** A private folder for one piece of work, which deletes it. Rejects as `inRoom`. */
export function jobFolder(): Promise<string> {
  return inRoom(() => mkdtemp(join(tmpdir(), 'job-')))
}

/** Does work with temporary files. Rejects with Problem `overloaded` when there is no room for them: no provider is to blame for that. */
export async function inRoom<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw ownLack(error) ?? error
  }
}

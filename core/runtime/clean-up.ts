import { answered } from './answered.js'

/** Longest wait for a plugin's clean-up, in milliseconds. */
const MOST_MS = 5_000

/** A clean-up, with a name for its error message. */
export type CleanUp = readonly [name: string, work: () => Promise<void> | undefined]

/** Runs all of them concurrently; returns an error for each that failed or did not end within five seconds. Never rejects. */
export async function cleanUpAll(works: readonly CleanUp[]): Promise<Error[]> {
  const errors = await Promise.all(works.map(errorOf))
  return errors.filter((error) => error !== null)
}

async function errorOf([name, work]: CleanUp): Promise<Error | null> {
  const ended = async (): Promise<void> => await work()
  try {
    await answered(MOST_MS, ended(), 'it')
    return null
  } catch (cause) {
    return new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

import { answered } from './answered.js'

/** Most milliseconds a clean-up by a plugin's code is waited for. */
const MOST_MS = 5_000

/** A clean-up, named for the error of it. */
export type CleanUp = readonly [name: string, work: () => Promise<void> | undefined]

/** Does all of them at once; answers an error for each that failed or had not ended after five seconds. Never rejects. */
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

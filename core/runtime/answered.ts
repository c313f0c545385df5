/** The outcome of work, or after `ms` milliseconds the error of `late`. `who` is the subject of its message. */
export async function answered<T>(
  ms: number,
  work: Promise<T>,
  who: string,
  late = (message: string): Error => new Error(message),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late(`${who} did not answer within ${Math.round(ms)} ms; the outcome is unknown`)), ms)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}

/** Longest wait for a plugin's clean-up, in milliseconds. */
const MOST_MS = 5_000

/** A clean-up, with a name for its error message. */
export type CleanUp = readonly [name: string, work: () => Promise<void> | undefined]

/** Runs all concurrently; returns an error for each that failed or did not end within five seconds. Never rejects. */
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

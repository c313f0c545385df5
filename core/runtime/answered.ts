/**
 * The outcome of work, or an error after so many milliseconds. `who` is the subject of its message; `late` creates the error.
 */
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

import { StoreUnavailable } from './types.js'

/** The outcome of a command, or StoreUnavailable when it has not come after so many milliseconds. `who` did not answer: the message's subject. */
export async function answered<T>(ms: number, command: Promise<T>, who: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(`${who} did not answer within ${Math.round(ms)} ms; the outcome is unknown`)), ms)
  })
  try {
    return await Promise.race([command, late])
  } finally {
    clearTimeout(timer)
  }
}

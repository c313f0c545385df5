import { StoreUnavailable } from '../port.js'

/**
 * The outcome of a round trip, or StoreUnavailable after so many milliseconds. The driver's own limits follow one another (a place in
 * the queue, a server, an answer), so that a server that hangs could cost their sum.
 */
export async function within<T>(ms: number, trip: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(`MongoDB did not answer within ${ms} ms; the outcome is unknown`)), ms)
  })
  try {
    return await Promise.race([trip, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits between two tries of a contended step: longer with every try, never the same for two that met. */
export function pause(attempt: number): Promise<void> {
  const most = Math.min(4 * 2 ** attempt, 64)
  return new Promise((resolve) => void setTimeout(resolve, Math.random() * most))
}

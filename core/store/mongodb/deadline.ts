import { answered } from '../../runtime/answered.js'
import { StoreUnavailable } from '../types.js'

/**
 * The outcome of a round trip, or StoreUnavailable after so many milliseconds. The driver's own limits follow one another (a place in
 * the queue, a server, an answer), so that a server that hangs could cost their sum.
 */
export async function within<T>(ms: number, trip: Promise<T>): Promise<T> {
  return await answered(ms, trip, 'MongoDB', (message) => new StoreUnavailable(message))
}

/** Waits between two tries of a contended step: longer with every try, never the same for two that met. */
export function pause(attempt: number): Promise<void> {
  const most = Math.min(4 * 2 ** attempt, 64)
  return new Promise((resolve) => void setTimeout(resolve, Math.random() * most))
}

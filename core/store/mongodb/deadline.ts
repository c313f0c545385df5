import { answered } from '../../runtime/answered.js'
import { StoreUnavailable } from '../types.js'

/**
 * The result of a round trip, or StoreUnavailable after `ms`. The driver's own limits run one after the other (queue,
 * server selection, reply), so that a hanging server could cost their sum.
 */
export async function within<T>(ms: number, trip: Promise<T>): Promise<T> {
  return await answered(ms, trip, 'MongoDB', (message) => new StoreUnavailable(message))
}

/** Waits between tries of a contended step, with exponential backoff and full jitter. */
export function pause(attempt: number): Promise<void> {
  const most = Math.min(4 * 2 ** attempt, 64)
  return new Promise((resolve) => void setTimeout(resolve, Math.random() * most))
}

/** Tries of a contended step before it fails as unavailable. */
export const TRIES = 50

import type { Log } from '../runtime/log-events.js'
import { StoreUnavailable } from '../store/types.js'

/** Intervals between attempts to reach the store at the start, in milliseconds; short, to use it soon. */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 500

/** Retries with backoff until the store answers. Throws any other error. */
export async function reached<T>(work: () => Promise<T | StoreUnavailable>, first: StoreUnavailable, log: Log): Promise<T> {
  let result: T | StoreUnavailable = first
  log('store-away', 'the database does not answer; the gateway waits for it', { error: first.message })
  for (let wait = FIRST_WAIT_MS; result instanceof StoreUnavailable; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    log('store-tried', 'the database does not answer; trying again', { ms: wait, error: result.message })
    await new Promise<void>((resolve) => void setTimeout(resolve, wait))
    result = await work()
    if (result instanceof StoreUnavailable) log('store-away', 'the database does not answer', { error: result.message })
  }
  log('store-back', 'the database answers')
  return result
}

/** Runs the work, and retries while the store does not answer. Throws any other error. */
export async function untilReached<T>(work: () => Promise<T>, log: Log): Promise<T> {
  const once = (): Promise<T | StoreUnavailable> => work().catch(unavailable)
  const first = await once()
  return first instanceof StoreUnavailable ? await reached(once, first, log) : first
}

/** Returns a StoreUnavailable; throws any other error. */
export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  throw error
}

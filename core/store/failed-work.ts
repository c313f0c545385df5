import type { Log, LogEventName } from '../runtime/log-events.js'
import { StoreUnavailable } from './types.js'

/** Background work that failed and will be retried. */
interface FailedWork {
  readonly event: LogEventName
  readonly message: string
  readonly error: unknown
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Logs failed work under its event; while the database is away, which `store-away` reports, as `store-work-failed`. */
export function logFailedWork(log: Log, { event, message, error, fields = {} }: FailedWork): void {
  log(error instanceof StoreUnavailable ? 'store-work-failed' : event, message, { ...fields, error: String(error) })
}

import type { Log, LogEventName } from '../runtime/log-events.js'
import { StoreUnavailable } from './types.js'

/** Work beside the calls that failed and is done later. */
interface FailedWork {
  readonly event: LogEventName
  readonly message: string
  readonly error: unknown
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Logs failed work under its event; at debug where the database is away, which `store-away` says for all of it. */
export function logFailedWork(log: Log, { event, message, error, fields = {} }: FailedWork): void {
  log(error instanceof StoreUnavailable ? 'store-work-failed' : event, message, { ...fields, error: String(error) })
}

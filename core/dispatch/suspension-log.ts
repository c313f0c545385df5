import type { Log } from '../runtime/log-events.js'

/** Logs a suspension: for `seconds`, or with null until the operator resumes it. */
export function logSuspended(log: Log, id: string, { why, seconds }: { readonly why: string; readonly seconds: number | null }): void {
  const { port, provider } = placeOf(id)
  const howLong = seconds === null ? 'until it is resumed' : `for ${seconds} s`
  const fields = seconds === null ? { manual: true } : { seconds }
  log('provider-suspended', `provider ${provider} of ${port} is suspended ${howLong}: ${why}`, { port, provider, ...fields })
}

/** Logs that a provider was resumed. */
export function logResumed(log: Log, id: string): void {
  const { port, provider } = placeOf(id)
  log('provider-resumed', `provider ${provider} of ${port} is resumed`, { port, provider })
}

/** Splits an id into port and vendor. */
function placeOf(id: string): { readonly port: string; readonly provider: string } {
  const at = id.lastIndexOf('/')
  return { port: id.slice(0, at), provider: id.slice(at + 1) }
}

/** Seconds of a Retry-After header (RFC 9110 10.2.3), a number or a date; undefined when absent or unreadable. `now` in Unix milliseconds. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const value = header.trim()
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Math.ceil(Number(value))
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}

/** True for statuses that say a page cannot be had for now: too many requests, or a failure of its server. */
export function isTransientStatus(status: number): boolean {
  return status === 429 || status >= 500
}

import type { Clock } from '../clock.js'
import type { RateOutcome, RateState } from './rate.js'

/** What a request takes of a limit, in parts of 1/limit µs: a minute, because `limit` requests fill one. */
export const REQUEST = 60_000_000

/** A theoretical arrival time: whole microseconds, and the parts of 1/limit µs beyond them. */
export interface ArrivalTime {
  readonly us: number
  readonly part: number
}

/**
 * How far an arrival time lies ahead of now, in parts of 1/limit µs; 0 when it is past. The generic cell rate algorithm spaces requests by
 * T = 60 s / limit, which is seldom whole: in whole microseconds a limit of 99,999 admits 100,000 at once, or 99,833 where T is rounded up.
 * In parts a request is 60,000,000 and a microsecond is `limit`: every number is whole and, for limits up to a million, below 2^53, so that
 * nothing is rounded. An arrival time that was kept under another limit is off by less than a microsecond.
 */
export function partsAhead({ us, part }: ArrivalTime, nowUs: number, limit: number): number {
  return Math.max(0, (us - nowUs) * limit + Math.min(part, limit - 1))
}

/** The arrival time that lies so many parts ahead of now. */
export function arrivalAhead(parts: number, nowUs: number, limit: number): ArrivalTime {
  return { us: nowUs + Math.floor(parts / limit), part: parts % limit }
}

/** Whether one arrival time is at least as late as the other. */
export function notBefore(one: ArrivalTime, other: ArrivalTime): boolean {
  return one.us > other.us || (one.us === other.us && one.part >= other.part)
}

/** Whether one more request stays within a minute ahead of now. */
export function admits(parts: number, limit: number): boolean {
  return parts + REQUEST <= limit * REQUEST
}

/**
 * The limit as its headers say it. Reset is when the whole limit is there again if nothing more is sent: never more than a
 * minute ahead (61 s, rounded up), and enough to wait for on a refusal, too, where `waitSeconds` says how little is. `unixUs` is now by the
 * wall clock, or by the server's.
 */
export function stateAhead(parts: number, limit: number, unixUs: number): RateState {
  return {
    limit,
    remaining: Math.max(0, Math.floor((limit * REQUEST - parts) / REQUEST)),
    reset: Math.ceil((unixUs + Math.ceil(parts / limit)) / 1e6),
  }
}

/** What came of a request that was admitted or not, and left the arrival time so many parts ahead. */
export function outcomeAhead(parts: number, limit: number, about: { readonly admitted: boolean; readonly unixUs: number }): RateOutcome {
  const missing = parts + REQUEST - limit * REQUEST
  return {
    state: stateAhead(parts, limit, about.unixUs),
    exceeded: !about.admitted,
    waitSeconds: about.admitted ? 0 : Math.max(1, Math.ceil(missing / (limit * 1e6))),
  }
}

/** The monotonic clock in whole microseconds. */
export function monotonicUs(clock: Clock): number {
  return Math.round(clock.monotonic() * 1000)
}

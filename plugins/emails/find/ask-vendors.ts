import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { pattern } from '../../_vendors/pattern.js'
import { mostUseful } from '../faults.js'
import { findVendors, type FindInput, type FoundAddress } from './contract.js'
import { knownOf } from './known.js'
import type { SearchResult } from './kept.js'

/** What is left to the patterns after the vendors: the site and the mail server. */
const FOR_PATTERNS_MS = 22_000
/** With less left a vendor is not asked. */
const LEAST_MS = 1_000

export type Question = Pick<FindInput, 'first_name' | 'last_name' | 'domain' | 'company'>

/**
 * Asks the vendors one after the other until one says that an address is valid, the patterns last; otherwise the surest answer of all. Throws a
 * `missing` Fault when nobody knows the person, else the most useful one of the vendors that could not be asked.
 */
export async function askVendors<S>(question: Question, hosts: readonly string[], ctx: HandlerContext<S>): Promise<SearchResult> {
  const faults: Fault[] = []
  const found: FoundAddress[] = []
  let complete = true
  for (const { id, serves } of ctx.providers(findVendors)) {
    const local = id === pattern.id
    const left = (): number => Math.max(0, Math.round(ctx.timeLeft() - (local ? LEAST_MS : FOR_PATTERNS_MS)))
    const suggested = found.map(({ email }) => email)
    const input: FindInput = { ...question, hosts: [...hosts], suggested, patterns: [], shown: [], left_ms: left() }
    if (!serves(input)) continue
    if (input.left_ms < LEAST_MS) {
      complete = false
      continue
    }
    try {
      // Pages are read only for a question that the patterns serve, and take their part of the time.
      const known = local ? await knownOf(question.domain, ctx) : {}
      const one = await ctx.call(findVendors, { ...input, ...known, left_ms: left() }, { only: id })
      if (one.verification_status === 'valid') return { found: one, complete }
      found.push(one)
    } catch (error) {
      if (!Fault.is(error) || ctx.signal.aborted || error.final || (error.kind === 'invalid' && error.status === undefined)) throw error
      // The day's mailboxes are used up: that nobody else knows the person says nothing then.
      if (local && error.kind === 'busy' && found.length === 0) throw error
      faults.push(error)
    }
  }
  const surest = best(found)
  if (surest !== undefined) return { found: surest, complete: complete && faults.every(({ kind }) => kind === 'missing') }
  throw failure(faults)
}

/** The surest, of equally sure ones the first; what somebody knows to be wrong is left out. */
function best(found: readonly FoundAddress[]): FoundAddress | undefined {
  const wrong = new Set(
    found.filter(({ verification_status }) => verification_status === 'invalid').map(({ email }) => email.toLowerCase()),
  )
  const [first] = found.filter(({ email }) => !wrong.has(email.toLowerCase())).sort((one, other) => other.confidence - one.confidence)
  return first
}

/** That nobody knows the person outweighs a vendor that could not be asked. */
function failure(faults: readonly Fault[]): Fault {
  const missing = faults.some(({ kind }) => kind === 'missing') ? undefined : mostUseful(faults)
  return (
    missing ?? new Fault('missing', 'Nobody knows an address of this person at the domain, and none of the usual ones could be confirmed.')
  )
}

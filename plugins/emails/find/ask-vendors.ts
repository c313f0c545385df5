import { Fault, mostUseful, type HandlerContext } from '../../../core/sdk/index.js'
import { pattern } from '../../_vendors/pattern.js'
import type { MailHosts } from '../mail-hosts/hosts-of.js'
import { findVendors, type FindInput, type FoundAddress } from './contract.js'
import { knownOf, NOTHING } from './known.js'
import type { SearchResult } from './kept.js'

/** Time reserved for the patterns after the vendors: the site and the mail server. */
const FOR_PATTERNS_MS = 22_000
/** With less time left a vendor is not called. */
const LEAST_MS = 1_000

export type Question = Pick<FindInput, 'first_name' | 'last_name' | 'domain' | 'company'>

/**
 * Calls the vendors in order until one reports a valid address, the patterns last; otherwise returns the most certain
 * answer. `mail` is a Fault when no name server answered for the mail hosts. Throws a `missing` Fault when a vendor
 * reports that there is no address, else the most useful Fault of the vendors that could not be called; when only the
 * patterns were tried, and could confirm nothing, it is `inconclusive`.
 */
export async function askVendors<S>(question: Question, mail: MailHosts | Fault, ctx: HandlerContext<S>): Promise<SearchResult> {
  const hosts = Fault.is(mail) ? [] : mail.hosts
  const faults: Fault[] = Fault.is(mail) ? [mail] : []
  const found: FoundAddress[] = []
  let complete = true
  let site: string | null = null
  for (const { id, serves } of ctx.providers(findVendors)) {
    const local = id === pattern.id
    const left = (): number => Math.max(0, Math.round(ctx.timeLeft() - (local ? LEAST_MS : FOR_PATTERNS_MS)))
    const suggested = found.map(({ email }) => email)
    const input: FindInput = { ...question, hosts: [...hosts], suggested, patterns: [], shown: [], left_ms: left() }
    if (!serves(input)) continue
    if (input.left_ms < LEAST_MS) {
      complete = false
      faults.push(new Fault('busy', 'No time was left to call every vendor.'))
      continue
    }
    try {
      // Pages are read only when the patterns support the input, and use part of their time.
      const known = local ? await knownOf(question.domain, ctx) : NOTHING
      site = known.unread ?? site
      const { patterns, shown } = known
      const one = await ctx.call(findVendors, { ...input, patterns, shown, left_ms: left() }, { only: id })
      if (one.verification_status === 'valid') return { found: one, complete }
      found.push(one)
    } catch (error) {
      if (!Fault.is(error) || ctx.signal.aborted || error.final || (error.kind === 'invalid' && error.status === undefined)) throw error
      // The daily mailbox limit is reached: a miss of the other vendors proves nothing then.
      if (local && error.kind === 'busy' && found.length === 0) throw error
      faults.push(error)
    }
  }
  const surest = best(found)
  if (surest !== undefined)
    return { found: surest, complete: complete && faults.every(({ kind, inconclusive }) => kind === 'missing' && !inconclusive) }
  throw failure(faults, site)
}

/** The most certain answer, the first among equals; addresses reported as wrong are left out. */
function best(found: readonly FoundAddress[]): FoundAddress | undefined {
  const wrong = new Set(
    found.filter(({ verification_status }) => verification_status === 'invalid').map(({ email }) => email.toLowerCase()),
  )
  const [first] = found.filter(({ email }) => !wrong.has(email.toLowerCase())).sort((one, other) => other.confidence - one.confidence)
  return first
}

/** `site` is the reason why the domain's site could not be read. */
function failure(faults: readonly Fault[], site: string | null): Fault {
  if (faults.length === 0) return new Fault('missing', 'No configured vendor supports such a name.', { inconclusive: true })
  const fault = mostUseful(faults)
  if (fault.kind !== 'missing') return fault
  if (!fault.inconclusive) return new Fault('missing', 'No vendor has an address of this person at the domain.')
  const also = site === null ? '' : ` The site of the domain could not be read either: ${site}`
  return new Fault('missing', `${fault.message}${also}`, { inconclusive: true, cause: fault })
}

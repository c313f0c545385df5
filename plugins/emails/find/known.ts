import { getDomain } from '../../_shared/public-suffixes.js'
import { Fault, Type, type HandlerContext } from '../../../core/sdk/index.js'
import { domainPatterns, shownAddress, type FindInput, type ShownAddress } from './contract.js'
import { localAt } from './names/shown-patterns.js'
import { shownBySite } from './site.js'

const SITE_MS = 8_000
const LEAST_MS = 1_000
const DAY_S = 86_400
/** Cache time of a site's addresses, and of a missing page. */
const SITE_S = 21_600
const NO_PAGE_S = 600
const MOST_SHOWN = 50

const shownAddresses = Type.Array(shownAddress)

interface Known extends Pick<FindInput, 'patterns' | 'shown'> {
  /** Why the site could not be read, as a sentence; null when it was read, or has no page. */
  readonly unread: string | null
}

export const NOTHING: Known = { patterns: [], shown: [], unread: null }

/** The addresses of a domain from a vendor and its site; empty when neither is available. */
export async function knownOf<S>(domain: string, ctx: HandlerContext<S>): Promise<Known> {
  const withinMs = Math.min(SITE_MS, Math.max(LEAST_MS, ctx.timeLeft() / 3))
  const [patterns, shown] = await Promise.all([
    ctx.has(domainPatterns) ? ctx.aside((side) => keptPatterns(domain, side), { withinMs }) : null,
    ctx.aside((side) => addressesOrReason(domain, side), { withinMs }),
  ])
  if (shown === null || typeof shown === 'string')
    return { ...NOTHING, patterns: patterns ?? [], unread: shown ?? 'It did not answer in time.' }
  const there = shown.filter(({ address }) => localAt(address, domain) !== null)
  return { patterns: patterns ?? [], shown: there.slice(0, MOST_SHOWN), unread: null }
}

/** The addresses on the site, empty for one without such a page; the reason as a sentence when it could not be read. */
async function addressesOrReason<S>(domain: string, ctx: HandlerContext<S>): Promise<ShownAddress[] | string> {
  try {
    return await keptAddresses(domain, ctx)
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    return error.kind === 'missing' ? [] : `${error.message}.`
  }
}

async function keptPatterns<S>(domain: string, ctx: HandlerContext<S>): Promise<string[]> {
  const options = { shape: domainPatterns.output, seconds: DAY_S, missingSeconds: DAY_S }
  return (await ctx.cache.get(['patterns', domain], options, (own) => own.call(domainPatterns, { domain }))).patterns
}

/** One site per registrable domain: names below it, of which there may be any number, are not read. */
function keptAddresses<S>(domain: string, ctx: HandlerContext<S>): Promise<ShownAddress[]> {
  const site = getDomain(domain, { allowPrivateDomains: true }) ?? domain
  const options = { shape: shownAddresses, seconds: SITE_S, missingSeconds: NO_PAGE_S }
  return ctx.cache.get(['site', site], options, (own) => shownBySite(site, own))
}

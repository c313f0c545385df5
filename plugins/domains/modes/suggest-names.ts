import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import { readTld } from '../checks/domain-name.js'
import { names, type DomainsInput, type Entry, type Name } from '../contract.js'
import { clashesWith } from '../names/marks.js'
import type { Ground } from '../names/made.js'
import { entriesOf, type Wanted } from './entries.js'
import { fittingExtensions } from './fitting.js'
import { groundOf } from './ground.js'
import type { Answer } from './page.js'

/** Names generated, domains checked, and entries shown. */
const LABELS = 40
const CHECKED = 60
const SHOWN = 30
/** Names that also get an extension of the theme. */
const TWICE = 15
const NAMES_MS = 12_000

const RANK: Readonly<Record<Entry['status'], number>> = { available: 0, premium: 1, 'early-access': 2, unknown: 3, registered: 4 }

/** Names for a business with their status: available ones first, then premium and early-access ones, then unknown ones. */
export async function suggestNames(input: DomainsInput, context: HandlerContext): Promise<Answer> {
  const ground = await groundOf(input, context)
  const made = await namesFor(ground, context)
  const wanted = domainsOf(made, { ground, tlds: input.tlds })
  if (wanted.length === 0) throw new Fault('missing', 'No name could be made of this description.')
  context.progress('checking', `${String(wanted.length)} domains`, 0, wanted.length)
  const entries = await entriesOf(wanted, context)
  const left = entries.filter(({ status, available }) => status !== 'registered' && available !== false)
  if (left.length === 0) throw new Fault('missing', 'All names that could be made of this description are taken.')
  const sorted = [...left].sort((one, other) => RANK[one.status] - RANK[other.status]).slice(0, SHOWN)
  return { names: sorted, total: sorted.length, offset: 0, limit: SHOWN }
}

/**
 * Names of one vendor after the other, until there are enough; without duplicates and without names near a well-known
 * mark.
 */
async function namesFor({ description, company_name }: Ground, context: HandlerContext): Promise<Name[]> {
  const answers = await context.gather(
    names,
    { description, company_name, count: LABELS },
    { atOnce: 1, withinMs: NAMES_MS, until: (all) => all.reduce((sum, { data }) => sum + data.names.length, 0) >= LABELS / 2 },
  )
  const all = answers.flatMap(({ data }) => data.names)
  if (all.length === 0) throw new Fault('missing', 'No name could be made of this description.')
  const own = new Map<string, Name>()
  for (const each of all) {
    const key = `${each.label}.${each.tld ?? ''}`
    if (!own.has(key) && clashesWith(each.label) === null && isUsable(each)) own.set(key, each)
  }
  return [...own.values()]
}

function isUsable({ label, tld }: Name): boolean {
  return !/^..--/.test(label) && (tld === null || !('wrong' in readTld(tld)))
}

/**
 * The domains to check: each name with the first extension, the best ones also with one that suits them; a name tied
 * to an extension only with that.
 */
function domainsOf(made: readonly Name[], { ground, tlds }: { ground: Ground; tlds: readonly string[] | null }): Wanted[] {
  const fitting = fittingExtensions(ground, 8)
    .map(({ tld }) => tld)
    .filter((tld) => tld !== 'com')
  const first = tlds ?? ['com']
  const wanted = new Map<string, Wanted>()
  const add = ({ label, category }: Name, tld: string): void => {
    const domain = `${label}.${tld}`
    if (!wanted.has(domain) && wanted.size < CHECKED) wanted.set(domain, { domain, name: label, tld, category })
  }
  for (const name of made) {
    if (name.tld === null) add(name, first[0] ?? 'com')
    else if (tlds === null || tlds.includes(name.tld)) add(name, name.tld)
  }
  const free = made.filter(({ tld }) => tld === null)
  for (const [at, name] of free.slice(0, TWICE).entries()) {
    const more = tlds === null ? fitting.slice(at % Math.max(1, fitting.length), (at % Math.max(1, fitting.length)) + 1) : tlds.slice(1)
    for (const tld of more) add(name, tld)
  }
  return [...wanted.values()]
}

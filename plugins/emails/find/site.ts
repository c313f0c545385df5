import { Fault, isRecord, type HandlerContext } from '../../../core/sdk/index.js'
import { pageFacts } from '../../scrape/contract.js'
import { textOrNull } from '../verify/vendor-values.js'
import { addressesIn } from './addresses-in.js'
import type { ShownAddress } from './contract.js'
import { withoutName } from './names/shown-patterns.js'

/** Pages that often list people and addresses, beside the home page. */
const PAGES = ['/contact', '/imprint', '/impressum', '/team']
const PAGE_MS = 3_500
const MOST_SHOWN = 200
const MOST_BYTES = 1_000_000
const MOST_ITEMS = 500
const MOST_DEPTH = 6

/** A page after reading. */
interface Read {
  readonly url: string
  readonly shown: readonly ShownAddress[]
}

/**
 * Addresses at a registrable domain, and at names below it, shown on its site: on its home page, then on pages that
 * usually list people. An address with a name gets its patterns instead of the name. Throws a `missing` Fault for a
 * site without a home page, `blocked` for one that could not be read, which must not be cached.
 */
export async function shownBySite<S>(domain: string, context: HandlerContext<S>): Promise<ShownAddress[]> {
  const home = await homeOf(domain, context)
  const pages = await Promise.all(
    PAGES.map((path) => context.aside((side) => read(new URL(path, home.url).href, domain, side), { withinMs: PAGE_MS })),
  )
  const found = new Map<string, ShownAddress>()
  for (const page of [home, ...pages])
    for (const shown of page?.shown ?? []) {
      const before = found.get(shown.address)
      if (before === undefined || before.last_name === null) found.set(shown.address, shown)
    }
  return [...found.values()].slice(0, MOST_SHOWN).map(withoutName)
}

async function homeOf<S>(domain: string, context: HandlerContext<S>): Promise<Read> {
  const secure = await context.aside((side) => read(`https://${domain}/`, domain, side), { withinMs: PAGE_MS })
  if (secure !== null) return secure
  return await read(`http://${domain}/`, domain, context)
}

async function read<S>(url: string, domain: string, context: HandlerContext<S>): Promise<Read> {
  const page = await context.web.get(url, { maxBytes: MOST_BYTES, timeoutMs: PAGE_MS })
  if (page.status === 429 || page.status >= 500)
    throw new Fault('blocked', `it answered with status ${String(page.status)}`, { unavailable: true })
  if (page.status !== 200 || !/^(?:text\/html|application\/xhtml\+xml)$/.test(page.contentType))
    throw new Fault('missing', 'The site of the domain has no such page.')
  const people = await peopleOn(page, context)
  const others = addressesIn(Buffer.from(page.bytes).toString('latin1'), domain).map((address) => ({
    address,
    first_name: null,
    last_name: null,
  }))
  const shown = [...people, ...others].flatMap((each) => {
    const address = each.address.toLowerCase()
    const at = address.slice(address.lastIndexOf('@') + 1)
    return at === domain || at.endsWith(`.${domain}`) ? [{ ...each, address }] : []
  })
  return { url: page.url, shown }
}

/** Persons with an address in a page's structured data; empty when that is not read in time. */
async function peopleOn<S>(
  { bytes, url, charset }: { readonly bytes: Uint8Array; readonly url: string; readonly charset: string },
  context: HandlerContext<S>,
): Promise<ShownAddress[]> {
  const file = await context.scratch.write(bytes)
  try {
    const facts = await context.aside((side) => side.call(pageFacts, { file, base: url, charset }), { withinMs: PAGE_MS })
    return facts === null ? [] : peopleOf([...facts.json_ld, ...facts.microdata, ...facts.rdfa])
  } finally {
    // Files of an aborted call are deleted with it.
    if (!context.signal.aborted) await context.scratch.remove(file)
  }
}

function peopleOf(items: readonly unknown[]): ShownAddress[] {
  const found: ShownAddress[] = []
  let seen = 0
  const visit = (value: unknown, depth: number): void => {
    if (depth > MOST_DEPTH || ++seen > MOST_ITEMS) return
    if (Array.isArray(value)) value.forEach((each) => visit(each, depth + 1))
    if (!isRecord(value)) return
    const address = first(value['email'])?.replace(/^mailto:/i, '')
    const words = first(value['name'])?.split(/\s+/) ?? []
    if (address !== undefined)
      found.push({
        address,
        first_name: first(value['givenName']) ?? words[0] ?? null,
        last_name: first(value['familyName']) ?? (words.length > 1 ? words.slice(1).join(' ') : null),
      })
    for (const each of Object.values(value)) if (typeof each === 'object') visit(each, depth + 1)
  }
  visit(items, 0)
  return found
}

function first(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value
  return textOrNull(one)?.slice(0, 254) ?? undefined
}

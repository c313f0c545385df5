import { Fault, parseUrl, provider, retryAfterOf, type Page, type ProviderContext } from '../../../core/sdk/index.js'
import { rdap as vendor } from '../../_vendors/rdap.js'
import { registered, unregistered } from '../answers.js'
import { registrationFind, type Registration } from '../contract.js'
import { registrableDomain } from '../domain.js'
import { known, type Known } from '../known.js'
import { rdapServerOf } from '../rdap-list.js'
import { completed } from '../record.js'
import { unanswered, unlisted } from '../unanswered.js'
import type { RdapReading } from '../work/rdap.js'

type Context = ProviderContext<{ readonly bootstrap: string; readonly per_second: number }>

const ACCEPT = { accept: 'application/rdap+json, application/json' }
const MAX_BYTES = 1024 * 1024
const REGISTRY_MS = 5_000
const REGISTRAR_MS = 4_000
/** A try that reached its limit would suspend the vendor, so everything inside ends before. */
const TRY_MS = 15_000
const BUDGET_MS = 9_000
const WORK_MS = 5_000
/** The server does not serve the TLD, or the name is not one of its registry (RFC 7480 5.4, RFC 9110): other names are not affected. */
const NOT_SERVED: ReadonlySet<number | undefined> = new Set([400, 422, 501])
/** Shown in place of the operator's own host, which must not be disclosed. */
const OPERATORS = 'vendors.rdap.url'
const READER = new URL('../work/rdap.js', import.meta.url)

export const rdap = provider(registrationFind, {
  vendor,
  rank: 10,
  timeoutMs: TRY_MS,
  run: async ({ domain: name, contacts }, context) => {
    const domain = registrableDomain(name)
    const state = await context.use(known)
    if (context.baseUrl !== '') return await fromOperator(domain, context)
    const began = performance.now()
    const base = await rdapServerOf(domain, context)
    if (base === null) throw unlisted('IANA lists no RDAP server for this TLD.')
    const page = await ask(`${base.replace(/(?<!\/)\/+$/, '')}/domain/${domain}`, context, state)
    const server = hostOf(page.url)
    if (page.status === 404) {
      assertSaysMissing(page, base)
      return unregistered({ domain, source: 'rdap', server, raw: null, notes: [] })
    }
    const { own, record, related } = await readingOf(page, domain, context)
    if (!own) throw unanswered(`${server} did not answer with a record of the domain.`)
    const source = { domain, source: 'rdap', server, raw: null } as const
    const wanted = contacts && record.registrant === null && related !== null && hostOf(related) !== server
    if (!wanted || performance.now() - began + REGISTRAR_MS > BUDGET_MS) return registered(record, { ...source, notes: [] })
    const copy = await fromRegistrar(related, domain, context, state)
    return copy === null
      ? registered(record, { ...source, notes: ["The registrar's record of the domain could not be read."] })
      : registered(completed(record, copy.record), { ...source, notes: [] })
  },
})

/** The operator's configured server, which answers for every TLD. */
async function fromOperator(domain: string, context: Context): Promise<Registration> {
  const about = { domain, source: 'rdap', server: OPERATORS, raw: null, notes: [] } as const
  let page: Page
  try {
    page = await context.api.bytes({ path: `/domain/${domain}`, headers: ACCEPT, maxBytes: MAX_BYTES })
  } catch (error) {
    if (!Fault.is(error)) throw error
    if (NOT_SERVED.has(error.status)) throw unlisted('The RDAP server at vendors.rdap.url does not answer for this name or its TLD.')
    if (error.status !== 404) throw error
    // Forwarding servers also answer 404 for a TLD without RDAP.
    if ((await rdapServerOf(domain, context)) === null)
      throw unlisted('The RDAP server has no record of the domain, and IANA lists none for its TLD.')
    return unregistered(about)
  }
  const { own, record } = await readingOf(page, domain, context)
  if (!own) throw new Fault('broken', 'The RDAP server at vendors.rdap.url did not answer with a record of the domain.')
  return registered(record, about)
}

/**
 * Queries a server named by external data. Throws a `busy` Fault for everything but 200 and 404, `inconclusive` when
 * it does not serve the name.
 */
async function ask(url: string, context: Context, { hosts }: Known, timeoutMs = REGISTRY_MS): Promise<Page> {
  const host = hostOf(url)
  await hosts.turn(host, context.settings.per_second, (ms) => context.wait(ms))
  let page: Page
  try {
    page = await context.web.get(url, { headers: ACCEPT, maxBytes: MAX_BYTES, timeoutMs, maxRedirects: 3 })
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    throw unanswered(`The RDAP server ${host} could not be queried: ${error.message}.`, { cause: error })
  }
  if (page.status === 429 || page.status === 503) throw hosts.rest(host, retryAfterOf(page.headers['retry-after'], Date.now()) ?? null)
  if (NOT_SERVED.has(page.status)) throw unlisted(`The RDAP server ${host} does not answer for this name.`)
  if (page.status !== 200 && page.status !== 404) throw unanswered(`The RDAP server ${host} answered with status ${String(page.status)}.`)
  return page
}

/** An HTML page with status 404, or one of another host, may come from a server that moved, and proves nothing about the name. */
function assertSaysMissing({ url, contentType, bytes }: Page, base: string): void {
  const moved = domainOf(hostOf(url)) !== domainOf(hostOf(base))
  if (moved || (bytes.length > 0 && !contentType.endsWith('json')))
    throw unanswered(`${hostOf(url)} answered 404, but not as an RDAP server does.`)
}

async function fromRegistrar(url: string, domain: string, context: Context, state: Known): Promise<RdapReading | null> {
  try {
    const page = await ask(url, context, state, REGISTRAR_MS)
    const reading = page.status === 200 ? await readingOf(page, domain, context) : null
    return reading?.own === true ? reading : null
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    context.log("a registrar's RDAP record could not be fetched", { host: hostOf(url), kind: error.kind })
    return null
  }
}

async function readingOf({ bytes, url }: Page, domain: string, context: Context): Promise<RdapReading> {
  try {
    return await context.work<RdapReading>(READER, { bytes, domain }, { timeoutMs: WORK_MS })
  } catch (error) {
    if (!Fault.is(error) || context.signal.aborted) throw error
    throw unanswered(`The answer of ${hostOf(url)} could not be read.`, { cause: error })
  }
}

function hostOf(url: string): string {
  return parseUrl(url)?.hostname ?? ''
}

function domainOf(host: string): string {
  return host.split('.').slice(-2).join('.')
}

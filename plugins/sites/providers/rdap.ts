import { Fault, nullable, provider, Type, type ProviderContext } from '../../../core/sdk/index.js'
import { rdap as vendor } from '../../_vendors/rdap.js'
import { sitesHosting } from '../contract.js'
import type { AddressRecord } from '../work/address-rdap.js'

type Context = ProviderContext<{ readonly bootstrap: string; readonly per_second: number }>

const READER = new URL('../work/address-rdap.js', import.meta.url)
const HEADERS = { accept: 'application/rdap+json, application/json' }
const MOST_BYTES = 1024 * 1024
const FETCH_MS = 4_000
const WORK_MS = 5_000
/** As RFC 9224 8 allows clients to cache a list. */
const KEPT = { seconds: 86_400, staleSeconds: 7 * 86_400, missingSeconds: 30 } as const
/** Networks rarely change owners. */
const RECORD_KEPT = { seconds: 86_400, missingSeconds: 3_600 } as const
/** Seconds of the operator's rate that may be used at once. */
const BURST_SECONDS = 10
const server = Type.String()
const known = Type.Object({ organisation: nullable(Type.String()), country: nullable(Type.String()) })

/** The record of an address's network at its regional registry. It has no autonomous system. */
export const rdap = provider(sitesHosting, {
  vendor,
  rank: 90,
  timeoutMs: 12_000,
  run: async ({ ip }, ctx) => {
    // The operator's server is one for domains; so is a list that is not named like IANA's.
    const list = ctx.settings.bootstrap.replace(/dns\.json$/, ip.includes(':') ? 'ipv6.json' : 'ipv4.json')
    if (list === ctx.settings.bootstrap) return null
    const base = await serverFor(ip, list, ctx)
    if (base === '') return null
    const record = await ctx.cache.get(['address record', ip], { shape: known, ...RECORD_KEPT }, (own) => recordOf(ip, base, own))
    return { asn: null, asn_org: record.organisation, country: record.country, city: null, hosting: null, located: false }
  },
})

/** A registry's record of an address. Throws a `missing` Fault when there is none, `busy` when it does not answer or is in use. */
async function recordOf(ip: string, base: string, ctx: Context): Promise<AddressRecord> {
  await ctx.caps.take('address_records', {
    most: Math.max(1, Math.floor(ctx.settings.per_second * BURST_SECONDS)),
    per: BURST_SECONDS,
    of: 'gateway',
    setting: 'vendors.rdap.per_second',
    subject: base,
  })
  const bytes = await fetched(`${base.replace(/(?<!\/)\/+$/, '')}/ip/${ip}`, ctx)
  const record = bytes === null ? null : await ctx.work<AddressRecord | null>(READER, { record: bytes }, { timeoutMs: WORK_MS })
  if (record === null || (record.organisation === null && record.country === null))
    throw new Fault('missing', 'The registry has no data on the address.')
  return record
}

/** The server for an address, found by its first half; empty when there is none. */
async function serverFor(ip: string, list: string, ctx: Context): Promise<string> {
  const half = ip.includes(':') ? ip.split(':').slice(0, 2).join(':') : ip.split('.').slice(0, 2).join('.')
  return await ctx.cache.get(['address server', list, half, ip.includes('::') ? ip : ''], { shape: server, ...KEPT }, async (own) => {
    const bytes = await fetched(list, own)
    if (bytes === null) throw new Fault('missing', 'The list of RDAP servers for addresses could not be fetched.')
    return (await own.work<string | null>(READER, { list: bytes, ip }, { timeoutMs: WORK_MS })) ?? ''
  })
}

/**
 * The body, null for a status that means no record. Throws a `busy` Fault, which counts against no vendor, when a
 * registry cannot be queried.
 */
async function fetched(url: string, ctx: Context): Promise<Uint8Array | null> {
  try {
    const page = await ctx.web.get(url, { headers: HEADERS, maxBytes: MOST_BYTES, timeoutMs: FETCH_MS, maxRedirects: 3 })
    if (page.status === 200) return page.bytes
    if (page.status === 404) return null
    throw new Fault('busy', `The registry of the address answered with status ${String(page.status)}.`, { unavailable: true })
  } catch (error) {
    if (!Fault.is(error) || error.kind === 'busy' || ctx.signal.aborted) throw error
    throw new Fault('busy', `The registry of the address could not be queried: ${error.message}.`, { unavailable: true, cause: error })
  }
}

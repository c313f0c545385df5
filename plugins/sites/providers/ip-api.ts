import {
  Fault,
  foreignJson,
  isRecord,
  oneOf,
  provider,
  Type,
  type Call,
  type ProviderContext,
  type Resource,
} from '../../../core/sdk/index.js'
import { ipApi as vendor } from '../../_vendors/ip-api.js'
import { textAt } from '../../_vendors/text-at.js'
import { sitesHosting } from '../contract.js'
import { asnOf, countryCode, named } from '../parts/hosting/network-text.js'
import type { AddressFacts } from '../shapes/hosting.js'

const FIELDS = 'status,message,countryCode,city,isp,org,as,hosting,query'
/** Requests per minute and address allowed by the free host. */
const FREE = { most: 45, per: 60, of: 'gateway' } as const

/** A failure has status 200 too. */
const reply = Type.Object({ status: oneOf('success', 'fail') })

/** When the free host accepts requests again, in Unix milliseconds. */
const pause: Resource<{ untilMs: number }> = { id: 'sites.ip-api-pause', open: () => Promise.resolve({ untilMs: 0 }) }

/** The paid host with a key, which has no limit, else the free one. */
export const ipApi = provider(sitesHosting, {
  vendor,
  rank: 30,
  timeoutMs: 8_000,
  run: async ({ ip }, ctx) => {
    const call: Call = { path: `/json/${ip}`, query: { fields: FIELDS } }
    return factsOf(ctx.secret('key') === '' ? await queryFreeHost(call, ctx) : await ctx.api.json({ ...call, host: 'pro' }, reply))
  },
})

/** Queries the free host, which blocks a client for an hour that exceeds its limit: its headers state the remaining requests. */
async function queryFreeHost(call: Call, ctx: ProviderContext): Promise<unknown> {
  const state = await ctx.use(pause)
  const seconds = Math.ceil((state.untilMs - Date.now()) / 1_000)
  if (seconds > 0) throw new Fault('busy', 'ip-api accepts no more requests for now.', { retryAfterSeconds: seconds })
  await ctx.caps.take('ip_api_requests', FREE)
  const { headers, bytes } = await ctx.api.bytes({ ...call, headers: { accept: 'application/json' } })
  if (headers['x-rl'] === '0') state.untilMs = Date.now() + (Number(headers['x-ttl']) || FREE.per) * 1_000
  return jsonOf(bytes)
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return foreignJson(bytes)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Fault('broken', 'ip-api answered with something else than JSON.', { cause: error })
  }
}

function factsOf(found: unknown): AddressFacts | null {
  const status = textAt(found, 'status')
  if (status === 'fail') return null
  if (status !== 'success' || !isRecord(found)) throw new Fault('broken', 'ip-api answered in a form that was not understood.')
  const network = textAt(found, 'as')
  const facts = {
    asn: asnOf(network),
    asn_org: named(network.replace(/^AS\d+ ?/i, '')) ?? named(textAt(found, 'org')) ?? named(textAt(found, 'isp')),
    country: countryCode(textAt(found, 'countryCode')),
    city: named(textAt(found, 'city')),
  }
  if (Object.values(facts).every((value) => value === null)) return null
  return { ...facts, hosting: typeof found['hosting'] === 'boolean' ? found['hosting'] : null, located: true }
}

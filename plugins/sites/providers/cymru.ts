import { Fault, provider, type ProviderContext } from '../../../core/sdk/index.js'
import { cymru as vendor } from '../../_vendors/cymru.js'
import { sitesHosting } from '../contract.js'
import { reversedName } from '../parts/hosting/reversed-name.js'

const TRIES = 2

/** Origin of an address, and the name of its network, from TXT records. */
export const cymru = provider(sitesHosting, {
  vendor,
  rank: 10,
  timeoutMs: 8_000,
  run: async ({ ip }, ctx) => {
    const { v6, name } = reversedName(ip)
    const records = await texts(`${name}.${v6 ? 'origin6' : 'origin'}.asn.cymru.com`, ctx)
    const origins = records.map(originOf).filter((origin) => origin !== null)
    // Several records are those of nested networks; the smallest is used.
    const [origin] = origins.sort((one, other) => other.length - one.length)
    if (origin === undefined) return null
    return { asn: origin.asn, asn_org: await nameOf(origin.asn, ctx), country: origin.country, city: null, hosting: null, located: false }
  },
})

/** The operator of a network; null when unavailable, since its number is already known. */
async function nameOf(asn: number, ctx: ProviderContext): Promise<string | null> {
  try {
    const [about = ''] = await texts(`AS${String(asn)}.asn.cymru.com`, ctx)
    return organisationOf(about)
  } catch (error) {
    if (!Fault.is(error) || ctx.signal.aborted) throw error
    ctx.log('the name of a network could not be had', { kind: error.kind })
    return null
  }
}

/** TXT records of a name, empty for a nonexistent one. A failed query is repeated once. Throws the Fault of the second. */
async function texts(name: string, ctx: ProviderContext): Promise<string[]> {
  for (let left = TRIES; ; left--) {
    try {
      const { records } = await ctx.net.query(name, 'TXT')
      return records.map(({ data }) => data)
    } catch (error) {
      if (!Fault.is(error) || ctx.signal.aborted || left <= 1) throw error
    }
  }
}

interface Origin {
  readonly asn: number
  /** Bits of the network's prefix. */
  readonly length: number
  readonly country: string | null
}

/** `64500 64501 | 203.0.113.0/24 | US | arin | 2010-01-02`; the first of several origins. */
function originOf(text: string): Origin | null {
  const [origins = '', prefix = '', country = ''] = text.split('|').map((field) => field.trim())
  const asn = Number(origins.split(/\s+/)[0])
  if (!Number.isInteger(asn) || asn <= 0 || asn > 0xffff_ffff) return null
  return { asn, length: Number(prefix.split('/')[1] ?? 0) || 0, country: /^[A-Z]{2}$/.test(country) ? country : null }
}

/** `64500 | US | arin | 2010-01-02 | EXAMPLE-NET - Example Networks, US`, or only a handle before the country. */
function organisationOf(text: string): string | null {
  const name = text
    .split('|')
    .slice(4)
    .join('|')
    .trim()
    .replace(/, [A-Z]{2}$/, '')
  const dash = name.indexOf(' - ')
  const organisation = (dash === -1 ? name : name.slice(dash + 3)).trim()
  return organisation === '' ? null : organisation.slice(0, 200)
}

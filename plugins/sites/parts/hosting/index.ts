import { Fault, isDefinite, type HandlerContext, type PortAnswer, type Services } from '../../../../core/sdk/index.js'
import { merged } from '../../../_shared/merged.js'
import { sitesHosting } from '../../contract.js'
import type { AddressFacts, Hosting } from '../../shapes/hosting.js'
import { networkOf } from './networks.js'
import { platformsOf, type Platform } from './platforms.js'

const NOTHING_KNOWN: AddressFacts = { asn: null, asn_org: null, country: null, city: null, hosting: null, located: false }

/**
 * Where a host is hosted: by the platform in response headers or an alias, else by the network of its first address.
 * `headers` are those of the home page, empty when it could not be read. Throws a `missing` Fault for a host without
 * an address, `blocked` for an internal one.
 */
export async function hostingOf(
  host: string,
  headers: () => Promise<Readonly<Record<string, string>>>,
  ask: (ip: string) => Promise<AddressFacts | null>,
  ctx: Services,
): Promise<Hosting> {
  const { ip, aliases } = await addressOf(host, ctx)
  await ctx.assertPublic(`http://${ip.includes(':') ? `[${ip}]` : ip}/`)
  const [facts, own] = await Promise.all([ask(ip), headers()])
  return judged(ip, facts ?? NOTHING_KNOWN, platformsOf(own, aliases), ctx)
}

/** The first address, IPv4 before IPv6, and its chain of aliases. */
async function addressOf(host: string, ctx: Services): Promise<{ ip: string; aliases: readonly string[] }> {
  const four = await ctx.net.query(host, 'A')
  const answer = four.records.length > 0 ? four : await ctx.net.query(host, 'AAAA')
  const ip = answer.records[0]?.data
  if (ip === undefined) throw new Fault('missing', `${host} has no address.`)
  return { ip, aliases: answer.aliases }
}

function judged(ip: string, facts: AddressFacts, platforms: readonly Platform[], ctx: Services): Hosting {
  const network = facts.asn === null ? null : networkOf(facts.asn)
  // The host is more informative than the CDN in front of it.
  const platform = platforms.find(({ cdn }) => !cdn) ?? platforms[0] ?? null
  const front = platforms.find(({ cdn }) => cdn)?.name ?? (network?.cdn === true && platform === null ? network.owner : null)
  if (front !== null && front === (platform?.name ?? network?.owner))
    ctx.note(`hosting: ${front} delivers the site and hides where it is hosted; network, country and city are those of ${front}.`)
  else if (front !== null && platform !== null) ctx.note(`hosting: ${front} delivers the site in front of ${platform.name}.`)
  return {
    provider: platform?.name ?? network?.owner ?? facts.asn_org,
    confidence: confidenceOf(facts, network?.owner ?? null, platform),
    ip,
    asn: facts.asn === null ? null : `AS${String(facts.asn)}`,
    asn_org: facts.asn_org,
    country: facts.country,
    city: facts.city,
  }
}

function confidenceOf({ asn_org, hosting }: AddressFacts, owner: string | null, platform: Platform | null): Hosting['confidence'] {
  if (platform !== null) return owner === platform.network || owner === platform.name ? 'high' : 'medium'
  if (owner !== null) return hosting === false ? 'medium' : 'high'
  if (asn_org === null) return null
  return hosting === true ? 'high' : 'low'
}

/** Called only when no other vendor has data, since each registry has its own server. */
const LAST = 'rdap'

/**
 * The vendors' data on an address, merged in the order of the waterfall; vendors with the place of use come before
 * those with the place of registration. Null without any data.
 */
export async function factsOfAddress(ip: string, withinMs: number, ctx: HandlerContext): Promise<AddressFacts | null> {
  const first = ctx.providers(sitesHosting).flatMap(({ id }) => (id === LAST ? [] : [id]))
  const answers = first.length === 0 ? [] : await gathered(ip, { only: first, withinMs }, ctx)
  const [best, ...others] = answers.length > 0 ? answers : await gathered(ip, { only: [LAST], withinMs }, ctx)
  if (best === undefined) return null
  const { data, disagreements } = merged([best, ...others])
  for (const { field, values } of disagreements)
    if (field === 'asn') ctx.note(`hosting: ${values.map(({ provider, value }) => `${provider} says AS${String(value)}`).join(', ')}.`)
  const located = [best, ...others].find(({ data: { located: there, country } }) => there && country !== null)?.data
  return { ...data, ...(located === undefined ? {} : { country: located.country, city: located.city ?? data.city, located: true }) }
}

async function gathered(
  ip: string,
  options: { readonly only: readonly string[]; readonly withinMs: number },
  ctx: HandlerContext,
): Promise<PortAnswer<AddressFacts>[]> {
  try {
    return await ctx.gather(sitesHosting, { ip }, options)
  } catch (error) {
    if (ctx.signal.aborted) throw error
    if (Fault.is(error) && !isDefinite(error)) ctx.note(`hosting: The network of the address could not be looked up: ${error.message}`)
    ctx.log('no vendor could be called for an address', { error: error instanceof Error ? error.message : String(error) })
    return []
  }
}

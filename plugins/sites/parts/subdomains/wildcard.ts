import { createHash } from 'node:crypto'
import type { Services } from '../../../../core/sdk/index.js'
import { probe, type Probed } from './probe.js'

/** Random labels queried at a time, and the maximum in total while their answers differ. */
const ROUND = 8
const MOST_LABELS = 34
/** Number of names with an address in the same network from which it belongs to the wildcard. */
const SHARED_BY = 3

/** A name with its DNS records. */
export type Named = Probed & { readonly subdomain: string }

/** The wildcard records of a domain. */
export interface Wildcard {
  readonly exists: boolean
  /** Names without those that only match the wildcard, and a sentence on ambiguous ones. */
  without(names: readonly Named[]): { readonly names: readonly Named[]; readonly note: string | null }
}

const NO_WILDCARD: Wildcard = { exists: false, without: (names) => ({ names, note: null }) }

/** Two labels that do not exist. They are the same in each call, so that resolvers can use their cache. */
export function unlikelyLabels(domain: string): readonly [string, string] {
  const letters = lettersOf(domain)
  return [letters.slice(0, 20), letters.slice(20, 40)]
}

/**
 * Detects a wildcard by nonexistent names: two, another round when they have an answer, since two of a few addresses
 * may match by chance, and more while their answers differ. Null when the name servers answered for neither of the
 * first two.
 */
export async function wildcardOf(domain: string, ctx: Services): Promise<Wildcard | null> {
  const ask = async (labels: readonly string[]) =>
    await Promise.all(labels.map(async (label) => namedOf(`${label}.${domain}`, await probe(`${label}.${domain}`, ctx))))
  const first = await ask(unlikelyLabels(domain))
  if (first.every((answer) => answer === null)) return null
  const found = first.filter((answer) => answer !== null && answer !== undefined)
  if (found.length === 0) return NO_WILDCARD
  let steady = new Set(found.map((each) => signatureOf(each, domain))).size === 1
  for (let round = 0; (round === 0 || !steady) && found.length < MOST_LABELS; round++) {
    const before = new Set(found.flatMap((each) => partsOf(each, domain)))
    const more = await ask(
      Array.from({ length: ROUND }, (_, place) => lettersOf(`${domain} ${String(round * ROUND + place)}`).slice(0, 20)),
    )
    const known = more.filter((answer) => answer !== null && answer !== undefined)
    if (known.length === 0) break
    steady = known.every((each) => partsOf(each, domain).every((part) => before.has(part)))
    found.push(...known)
  }
  return wildcard(found, { domain, steady, varies: new Set(found.map((each) => signatureOf(each, domain))).size > 1 })
}

function wildcard(
  probes: readonly Named[],
  { domain, steady, varies }: { readonly domain: string; readonly steady: boolean; readonly varies: boolean },
): Wildcard {
  const aliases = new Set(probes.flatMap((each) => aliasOf(each, domain) ?? []))
  const parents = new Set([...aliases].map(parentOf))
  const pool = new Set(probes.filter(({ cname }) => cname === null).flatMap(({ ips }) => ips))
  const networks = new Set([...pool].map(networkOf))
  return {
    exists: true,
    without: (names) => {
      const plain = names.filter(({ cname }) => cname === null)
      if (varies && pool.size > 0) widen(pool, plain, networks)
      const distinctAddresses = steady || pool.size === 0 || connected(probes, pool)
      const distinctAliases = steady || aliases.size === 0 || parents.size < aliases.size
      const isOther = (each: Named): boolean => {
        const alias = each.cname?.toLowerCase()
        if (alias !== undefined) {
          const label = labelOf(each, domain)
          const listed = [...aliases].some((pattern) => pattern.replaceAll('*', label) === alias)
          const near = !steady && [...parents].some((parent) => parent.replaceAll('*', label) === parentOf(alias))
          return aliases.size === 0 || (distinctAliases && !listed && !near)
        }
        if (pool.size === 0) return true
        return distinctAddresses && !(varies ? each.ips.some((ip) => pool.has(ip)) : each.ips.every((ip) => pool.has(ip)))
      }
      const kinds = [...(distinctAddresses ? [] : ['addresses']), ...(distinctAliases ? [] : ['aliases'])]
      const note =
        kinds.length === 0
          ? null
          : `Any name below the domain has ${kinds.join(' and ')} that vary; names that have ${kinds.join(' or ')} were left out.`
      return { names: names.filter(isOther), note }
    },
  }
}

/** Adds addresses that occur with known ones in an answer, and those of the same network shared by several names. */
function widen(pool: Set<string>, names: readonly Named[], networks: ReadonlySet<string>): void {
  const bearers = new Map<string, number>()
  for (const ip of names.flatMap(({ ips }) => ips)) bearers.set(ip, (bearers.get(ip) ?? 0) + 1)
  for (const [ip, count] of bearers) if (count >= SHARED_BY && networks.has(networkOf(ip))) pool.add(ip)
  for (let before = -1; before !== pool.size;) {
    before = pool.size
    for (const { ips } of names) if (ips.some((ip) => pool.has(ip))) for (const ip of ips) pool.add(ip)
  }
}

/** Whether most probes share an address with another: otherwise a distinct answer proves nothing. */
function connected(probes: readonly Named[], pool: ReadonlySet<string>): boolean {
  const plain = probes.filter(({ cname }) => cname === null)
  const alone = plain.filter((one) => !plain.some((other) => other !== one && other.ips.some((ip) => one.ips.includes(ip))))
  return pool.size > 0 && alone.length * 10 <= plain.length
}

function namedOf(subdomain: string, found: Probed | undefined | null): Named | undefined | null {
  return found === null || found === undefined ? found : { subdomain, ...found }
}

const labelOf = ({ subdomain }: Named, domain: string): string => subdomain.slice(0, -domain.length - 1).toLowerCase()

/** The alias of a random label, with the label removed where it is repeated. */
function aliasOf(each: Named, domain: string): string | null {
  return each.cname === null ? null : each.cname.toLowerCase().replaceAll(labelOf(each, domain), '*')
}

/** The parts of an answer. */
function partsOf(each: Named, domain: string): readonly string[] {
  const alias = aliasOf(each, domain)
  return alias === null ? each.ips : [alias]
}

const signatureOf = (each: Named, domain: string): string => [...partsOf(each, domain)].sort().join()

const parentOf = (name: string): string => name.slice(name.indexOf('.') + 1)

/** The /24 of an IPv4 address, the first half of an IPv6 address as written. */
const networkOf = (ip: string): string => (ip.includes(':') ? ip.split(':').slice(0, 4).join(':') : ip.slice(0, ip.lastIndexOf('.')))

function lettersOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
}

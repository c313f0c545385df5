import { createHash } from 'node:crypto'
import type { Services } from '../../../../core/sdk/index.js'
import { probe, type Probed } from './probe.js'

/** What any name below a domain has. */
interface Wildcard {
  readonly exists: boolean
  /** Whether a name has nothing but that. */
  covers(found: Probed): boolean
}

/** Two labels that nobody has. They are the same in each call, so that resolvers need not ask the domain again. */
export function unlikelyLabels(domain: string): readonly [string, string] {
  const letters = createHash('sha256')
    .update(domain)
    .digest('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
  return [letters.slice(0, 20), letters.slice(20, 40)]
}

/** Looks for a wildcard by names that nobody has; null when the name servers answered for none of them. */
export async function wildcardOf(domain: string, ctx: Services): Promise<Wildcard | null> {
  const answers = await Promise.all(unlikelyLabels(domain).map((label) => probe(`${label}.${domain}`, ctx)))
  if (answers.every((answer) => answer === null)) return null
  const found = answers.filter((answer) => answer !== null && answer !== undefined)
  const ips = new Set(found.flatMap((each) => each.ips))
  const aliases = new Set(found.flatMap(({ cname }) => cname ?? []))
  return {
    exists: found.length > 0,
    covers: (each) =>
      each.cname === null ? each.ips.length > 0 && each.ips.every((ip) => ips.has(ip)) && aliases.size === 0 : aliases.has(each.cname),
  }
}

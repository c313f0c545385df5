import type { Services } from '../../../core/sdk/index.js'
import type { SubdomainsReport } from '../shapes/page.js'
import { asked } from './dns/records.js'

const LABELS = ['www', 'mail', 'api', 'dev', 'app', 'blog', 'shop', 'docs', 'status', 'cdn']

/** Names below a domain that exist in DNS: usual ones, and the given labels. */
export async function subdomainsOf(domain: string, labels: readonly string[], ctx: Services): Promise<SubdomainsReport> {
  const names = [...new Set([...LABELS, ...labels])].sort().map((label) => `${label}.${domain}`)
  const answers = await Promise.all(names.map((name) => asked(name, 'A', ctx)))
  const subdomains = names.flatMap((subdomain, place) => {
    const answer = answers[place] ?? null
    const ips = answer?.records.map(({ data }) => data) ?? []
    const cname = answer?.aliases.at(-1) ?? null
    return ips.length === 0 && cname === null
      ? []
      : [{ subdomain, ips, cname, dangling: ips.length === 0 && answer?.status === 'NXDOMAIN' }]
  })
  return { subdomains, total: subdomains.length, wildcard: false }
}

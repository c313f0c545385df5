/** Networks of hosting and CDN companies. `cdn` is in front of an origin that the address does not reveal. */
interface Network {
  readonly owner: string
  readonly cdn: boolean
}

const OWNERS: readonly (readonly [owner: string, cdn: boolean, ...asns: number[]])[] = [
  ['Cloudflare', true, 13335],
  ['Fastly', true, 54113],
  ['Akamai', true, 20940, 16625],
  ['Amazon Web Services', false, 16509, 14618, 8987],
  ['Google Cloud', false, 15169, 396982, 36040],
  ['Microsoft Azure', false, 8075, 12076],
  ['Oracle Cloud', false, 31898],
  ['Vultr', false, 20473],
  ['IONOS', false, 8560, 51862],
  ['SAKURA Internet', false, 7684],
  ['GoDaddy', false, 26496],
  ['Hostinger', false, 47583],
  ['OVHcloud', false, 16276],
  ['Hetzner', false, 24940, 213230, 212317],
  ['DigitalOcean', false, 14061],
  ['Akamai (Linode)', false, 63949],
  ['Scaleway', false, 12876],
  ['Contabo', false, 51167],
  ['netcup', false, 197540],
  ['GitHub', false, 36459],
  ['Namecheap', false, 22612],
  ['Alibaba Cloud', false, 45102],
]

/** The owner of an autonomous system, if it is a listed hosting company; null for any other. */
export function networkOf(asn: number): Network | null {
  for (const [owner, cdn, ...asns] of OWNERS) if (asns.includes(asn)) return { owner, cdn }
  return null
}

const DAYS_MS = 3 * 86_400_000
const MOST = 2_000

/** IANA's WHOIS server, which names the server of each TLD. */
export const IANA = 'whois.iana.org'

/** Published WHOIS servers of TLDs; other TLDs are looked up at IANA. */
const SERVERS: Readonly<Record<string, string>> = {
  com: 'whois.verisign-grs.com',
  net: 'whois.verisign-grs.com',
  cc: 'ccwhois.verisign-grs.com',
  org: 'whois.pir.org',
  name: 'whois.nic.name',
  de: 'whois.denic.de',
  jp: 'whois.jprs.jp',
  uk: 'whois.nic.uk',
  ...Object.fromEntries(['fr', 're', 'pm', 'tf', 'wf', 'yt'].map((tld) => [tld, 'whois.nic.fr'])),
  nl: 'whois.domain-registry.nl',
  eu: 'whois.eu',
  it: 'whois.nic.it',
  be: 'whois.dns.be',
  at: 'whois.nic.at',
  ch: 'whois.nic.ch',
  li: 'whois.nic.ch',
  ca: 'whois.cira.ca',
  au: 'whois.auda.org.au',
  br: 'whois.registro.br',
  in: 'whois.nixiregistry.in',
  us: 'whois.nic.us',
  co: 'whois.registry.co',
  io: 'whois.nic.io',
  ai: 'whois.nic.ai',
  sh: 'whois.nic.sh',
  ac: 'whois.nic.ac',
  me: 'whois.nic.me',
  tv: 'whois.nic.tv',
  biz: 'whois.nic.biz',
}

/** Query formats of servers that need more than the bare name. */
const QUERIES: Readonly<Record<string, (domain: string) => string>> = {
  // Without the keyword, hosts and registrars match too.
  'whois.verisign-grs.com': (domain) => `domain ${domain}`,
  'ccwhois.verisign-grs.com': (domain) => `domain ${domain}`,
  'whois.nic.name': (domain) => `=${domain}`,
  'whois.denic.de': (domain) => `-T dn,ace ${domain}`,
  // In English, and therefore not in ISO-2022-JP.
  'whois.jprs.jp': (domain) => `${domain}/e`,
  [IANA]: (domain) => domain.slice(domain.lastIndexOf('.') + 1),
}

/** The query line for a domain. */
export function queryOf(server: string, domain: string): string {
  return QUERIES[server]?.(domain) ?? domain
}

/** The WHOIS server of each TLD: the listed ones, and IANA's recent answers. */
export class WhoisServers {
  readonly #now: () => number
  readonly #named = new Map<string, { readonly server: string; readonly until: number }>()

  /** `now` is a monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The server for the domain; null when IANA must be queried. */
  of(domain: string): string | null {
    const tld = tldOf(domain)
    const named = this.#named.get(tld)
    if (named !== undefined && named.until > this.#now()) return named.server
    return Object.hasOwn(SERVERS, tld) ? (SERVERS[tld] ?? null) : null
  }

  /** Stores IANA's answer. */
  record(domain: string, server: string): void {
    if (this.#named.size >= MOST) this.#named.clear()
    this.#named.set(tldOf(domain), { server, until: this.#now() + DAYS_MS })
  }
}

function tldOf(domain: string): string {
  return domain.slice(domain.lastIndexOf('.') + 1)
}

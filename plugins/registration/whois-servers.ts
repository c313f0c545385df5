const DAYS_MS = 3 * 86_400_000
const MOST = 2_000

/** Where IANA names the server that answers for a TLD. */
export const IANA = 'whois.iana.org'

/** Servers of TLDs as the registries publish them; those of other TLDs are asked from IANA. */
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

/** What a server wants to be sent, where that is not the bare name. */
const QUERIES: Readonly<Record<string, (domain: string) => string>> = {
  // Without the word names of hosts and registrars are found too.
  'whois.verisign-grs.com': (domain) => `domain ${domain}`,
  'ccwhois.verisign-grs.com': (domain) => `domain ${domain}`,
  'whois.nic.name': (domain) => `=${domain}`,
  'whois.denic.de': (domain) => `-T dn,ace ${domain}`,
  // In English, and thereby not in ISO-2022-JP.
  'whois.jprs.jp': (domain) => `${domain}/e`,
  [IANA]: (domain) => domain.slice(domain.lastIndexOf('.') + 1),
}

/** The line that a server is sent about a domain. */
export function queryOf(server: string, domain: string): string {
  return QUERIES[server]?.(domain) ?? domain
}

/** Which server answers for which TLD: those that are known, and what IANA said in the last days. */
export class WhoisServers {
  readonly #now: () => number
  readonly #named = new Map<string, { readonly server: string; readonly until: number }>()

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The server that answers for the domain; null when IANA has to be asked. */
  of(domain: string): string | null {
    const tld = tldOf(domain)
    const named = this.#named.get(tld)
    if (named !== undefined && named.until > this.#now()) return named.server
    return Object.hasOwn(SERVERS, tld) ? (SERVERS[tld] ?? null) : null
  }

  /** Keeps what IANA said. */
  record(domain: string, server: string): void {
    if (this.#named.size >= MOST) this.#named.clear()
    this.#named.set(tldOf(domain), { server, until: this.#now() + DAYS_MS })
  }
}

function tldOf(domain: string): string {
  return domain.slice(domain.lastIndexOf('.') + 1)
}

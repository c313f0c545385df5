import { parseUrl } from '../../../core/sdk/index.js'
import { getDomain } from '../../_shared/public-suffixes.js'

/** The registrable domain of an address, including private suffixes such as `github.io`; the host without one. */
export function domainOf(url: string): string {
  const host = parseUrl(url)?.hostname ?? ''
  return registrable(host)
}

/** The caller's rules on source domains, by registrable domain. */
export class DomainRules {
  readonly #only: ReadonlySet<string> | null
  readonly #not: ReadonlySet<string>

  constructor({ only, not }: { readonly only: readonly string[] | null; readonly not: readonly string[] | null }) {
    this.#only = only === null ? null : new Set(only.map(registrable))
    this.#not = new Set((not ?? []).map(registrable))
  }

  allow(domain: string): boolean {
    return (this.#only === null || this.#only.has(domain)) && !this.#not.has(domain)
  }

  /** The only allowed domains; null for all. */
  get only(): readonly string[] | null {
    return this.#only === null ? null : [...this.#only]
  }
}

function registrable(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host.toLowerCase()
}

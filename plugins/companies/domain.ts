import { domainField, readSiteName, type DomainName } from '../registration/contract.js'

const field = domainField(readCompanyDomain)
/** The name as A-labels in lower case, without `www.`; a text that is not a domain is unchanged, for `domainViolations` to refuse. */
export const normalDomain = field.normal
/** Violations of a text that is not a domain, at `domain`; empty for a domain. */
export const domainViolations = field.violations
/** A name accepted by `domainViolations`, and its registrable domain. Throws an `invalid` Fault for any other. */
export const companyDomain = field.read

/** The registrable domain of an address or a name; null without one. */
export function registrableOf(address: string | null): string | null {
  const read = readCompanyDomain(
    (address ?? '')
      .trim()
      .replace(/^[a-z]+:\/\//i, '')
      .replace(/[/?#:].*$/s, ''),
  )
  return 'wrong' in read ? null : read.domain
}

/** The domain of a company: without `www.`, also when the rest is a public suffix with its own site, such as `nhs.uk`. */
function readCompanyDomain(text: string): DomainName | { readonly wrong: string } {
  const read = readSiteName(text)
  if ('wrong' in read || !read.name.startsWith('www.')) return read
  const bare = readSiteName(read.name.slice('www.'.length))
  return 'wrong' in bare ? read : bare
}

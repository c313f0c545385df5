import { domainField, readSiteName, type DomainName } from '../registration/contract.js'

const field = domainField(readCompanyDomain)
/** The name as A-labels in lower case, without `www.`; what is no domain stays as it is, for `domainViolations` to refuse. */
export const normalDomain = field.normal
/** What is wrong with a text that is no domain, at `domain`; empty for a domain. */
export const domainViolations = field.violations
/** A name that `domainViolations` let pass, and the registrable domain above it. Throws an `invalid` Fault for any other. */
export const companyDomain = field.read

/** The registrable domain of an address or a name; null for what has none. */
export function registrableOf(address: string | null): string | null {
  const read = readCompanyDomain(
    (address ?? '')
      .trim()
      .replace(/^[a-z]+:\/\//i, '')
      .replace(/[/?#:].*$/s, ''),
  )
  return 'wrong' in read ? null : read.domain
}

/** The domain of a company: without `www.`, also where what is below is a suffix with a site of its own, such as `nhs.uk`. */
function readCompanyDomain(text: string): DomainName | { readonly wrong: string } {
  const read = readSiteName(text)
  if ('wrong' in read || !read.name.startsWith('www.')) return read
  const bare = readSiteName(read.name.slice('www.'.length))
  return 'wrong' in bare ? read : bare
}

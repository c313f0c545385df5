import { Fault, type Violation } from '../../core/sdk/index.js'
import { domainName, type DomainName } from '../registration/contract.js'

/** The name as A-labels in lower case, without `www.`; what is no domain stays as it is, for `domainViolations` to refuse. */
export function normalDomain(name: string): string {
  const read = readDomain(name)
  return typeof read === 'string' ? name : read.name
}

/** What is wrong with a text that is no domain, at `domain`; empty for a domain. */
export function domainViolations(name: string): readonly Violation[] {
  const read = readDomain(name)
  return typeof read === 'string' ? [{ loc: ['domain'], msg: read }] : []
}

/** A name that `domainViolations` let pass, and the registrable domain above it. Throws an `invalid` Fault for any other. */
export function companyDomain(name: string): DomainName {
  const read = readDomain(name)
  if (typeof read === 'string') throw new Fault('invalid', `domain: ${read}.`, { loc: ['domain'] })
  return read
}

/** The registrable domain of an address or a name; null for what has none. */
export function registrableOf(address: string | null): string | null {
  const read = readDomain(
    (address ?? '')
      .trim()
      .replace(/^[a-z]+:\/\//i, '')
      .replace(/[/?#:].*$/s, ''),
  )
  return typeof read === 'string' ? null : read.domain
}

function readDomain(text: string): DomainName | string {
  try {
    const { name, domain } = domainName(text)
    return { name: name.startsWith('www.') && name.slice(4).endsWith(domain) ? name.slice(4) : name, domain }
  } catch (error) {
    if (!Fault.is(error)) throw error
    return error.message.replace(/^domain: /, '').replace(/\.$/, '')
  }
}

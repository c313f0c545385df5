import { domainToUnicode } from 'node:url'
import type { Violation } from '../../core/sdk/index.js'
import { domainField, mixedScripts, readDomainName, readSiteName, type DomainName } from '../registration/contract.js'

/** Allowed characters and length of a label in DNS queries. */
const LABEL = /^[a-z0-9_-]{1,63}$/

const field = domainField(readSite)
/** The name as A-labels in lower case; a text that is not a domain is unchanged, for `domainViolations` to refuse. */
export const normalDomain = field.normal
/** A name accepted by `domainViolations`, and its registrable domain. Throws an `invalid` Fault for any other. */
export const siteName = field.read
/** Advice for a text that is not a domain, at `domain`; mode whois also refuses public suffixes. */
export function domainViolations(text: string, mode: string): readonly Violation[] {
  const read = readDomainName(text)
  return mode === 'whois' && 'wrong' in read ? [{ loc: ['domain'], msg: read.wrong }] : field.violations(text)
}

/** Scripts with similar letters mixed in one label of a name; empty for most names. */
export function scriptsMixedIn(domain: string): readonly string[] {
  const labels = domainToUnicode(domain).split('.')
  return labels.map(mixedScripts).find(({ length }) => length > 0) ?? []
}

function readSite(text: string): DomainName | { readonly wrong: string } {
  const read = readSiteName(text)
  if ('wrong' in read) return read
  return read.name.split('.').every((label) => LABEL.test(label)) ? read : { wrong: 'it is not a domain name' }
}

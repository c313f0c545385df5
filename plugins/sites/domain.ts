import { domainToUnicode } from 'node:url'
import type { Violation } from '../../core/sdk/index.js'
import { domainField, mixedScripts, readDomainName, readSiteName, type DomainName } from '../registration/contract.js'

/** Characters and length of a label that DNS is asked for. */
const LABEL = /^[a-z0-9_-]{1,63}$/

const field = domainField(readSite)
/** The name as A-labels in lower case; what is no domain stays as it is, for `domainViolations` to refuse. */
export const normalDomain = field.normal
/** A name that `domainViolations` let pass, and the registrable domain above it. Throws an `invalid` Fault for any other. */
export const siteName = field.read
/** What to write instead of a text that is no domain, at `domain`; mode whois also refuses suffixes below which names are registered. */
export function domainViolations(text: string, mode: string): readonly Violation[] {
  const read = readDomainName(text)
  return mode === 'whois' && 'wrong' in read ? [{ loc: ['domain'], msg: read.wrong }] : field.violations(text)
}

/** Scripts with letters that look alike which one label of a name mixes; none for most names. */
export function scriptsMixedIn(domain: string): readonly string[] {
  const labels = domainToUnicode(domain).split('.')
  return labels.map(mixedScripts).find(({ length }) => length > 0) ?? []
}

function readSite(text: string): DomainName | { readonly wrong: string } {
  const read = readSiteName(text)
  if ('wrong' in read) return read
  return read.name.split('.').every((label) => LABEL.test(label)) ? read : { wrong: 'it is not a domain name' }
}

import { domainToASCII } from 'node:url'
import { parse } from 'tldts'
import { Fault } from '../../core/sdk/index.js'

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/
/** Letters and digits of any script, their marks, hyphens and full stops; below the domain an underscore too. */
const NAME = /^[\p{L}\p{M}\p{N}_.-]+$/u

/** A name as A-labels in lower case, and the domain above it that somebody can register. */
export interface DomainName {
  readonly name: string
  readonly domain: string
}

/**
 * Reads a domain or a name below one. The registrable domain follows the Public Suffix List without its private part. Throws an `invalid` Fault at
 * `domain` that says what is wrong.
 */
export function domainName(name: string): DomainName {
  if (/[:/?#@\\\s]/.test(name)) throw invalid('give a bare name such as example.com, without scheme, port, path or blanks')
  if (name.startsWith('.') || name.endsWith('.') || name.includes('..')) throw invalid('a name has no dot at either end and no empty part')
  const ascii = NAME.test(name) ? domainToASCII(name) : ''
  if (ascii === '' || ascii.length > 253) throw invalid('it is not a domain name')
  const { domain, isIp } = parse(ascii, { allowPrivateDomains: false, validateHostname: false })
  if (isIp === true) throw invalid('it is an IP address, not a domain name')
  if (domain === null) throw invalid(`${ascii} is a suffix below which names are registered, not a domain`)
  if (!domain.split('.').every((label) => LABEL.test(label))) throw invalid('it is not a domain name')
  return { name: ascii, domain }
}

/** The domain that somebody can register which a name stands below. Throws as `domainName` does. */
export function registrableDomain(name: string): string {
  return domainName(name).domain
}

function invalid(why: string): Fault {
  return new Fault('invalid', `domain: ${why}.`, { loc: ['domain'] })
}

import { domainToASCII } from 'node:url'
import { parse } from '../_shared/public-suffixes.js'
import { Fault } from '../../core/sdk/index.js'
import { asciiName, NAME_FAULTS, type NameFault } from './ascii-name.js'

const NO_ENDING = 'has no ending such as .com: give a whole domain such as example.com'
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** A name as A-labels in lower case, and its registrable domain. */
export interface DomainName {
  readonly name: string
  readonly domain: string
}

/** The same, with the parts of the domain. */
interface RegistrableName extends DomainName {
  /** The part of the domain before its suffix. */
  readonly label: string
  /** The public suffix, such as `com` or `co.uk`. */
  readonly suffix: string
}

/** The problem with a text that should be a domain, as a sentence without its subject. */
interface WrongDomain {
  readonly fault: NameFault | 'address' | 'suffix' | 'label'
  readonly wrong: string
}

/**
 * Parses a domain or a name below one, or returns its problem. The registrable domain follows the Public Suffix List
 * without its private part.
 */
export function readDomainName(text: string): RegistrableName | WrongDomain {
  const read = asciiName(text)
  if ('fault' in read) return { fault: read.fault, wrong: bareNameIn(text) ?? NAME_FAULTS[read.fault] }
  const { ascii } = read
  const options = { allowPrivateDomains: false, validateHostname: false }
  const { domain, domainWithoutSuffix: label, publicSuffix: suffix, isIp, isIcann } = parse(ascii, options)
  if (isIp === true) return { fault: 'address', wrong: 'it is an IP address, not a domain name such as example.com' }
  if (domain === null || label === null || suffix === null) {
    const listed = isIcann === true || ascii.includes('.')
    return {
      fault: 'suffix',
      wrong: listed ? `${ascii} is a suffix below which names are registered, not a domain` : `${ascii} ${NO_ENDING}`,
    }
  }
  if (!domain.split('.').every((each) => LABEL.test(each))) return { fault: 'label', wrong: 'it is not a domain name' }
  return { name: ascii, domain, label, suffix }
}

/**
 * The same for uses that need no registrable domain, such as DNS and the site of a name: a suffix of several labels
 * is accepted too, as its own domain, since some have a site and mail (`nhs.uk`).
 */
export function readSiteName(text: string): DomainName | WrongDomain {
  const read = readDomainName(text)
  if (!('wrong' in read) || read.fault !== 'suffix') return read
  const name = domainToASCII(text)
  return name.includes('.') && name.split('.').every((each) => LABEL.test(each)) ? { name, domain: name } : read
}

/** The bare name inside an address, a mailbox or a name with surrounding dots: probably what the caller meant. */
function bareNameIn(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/s, '')
    .replace(/:\d*$/, '')
    .replace(/^\.+|\.+$/g, '')
  if (bare === text || bare === '') return null
  const read = readDomainName(bare)
  return 'wrong' in read ? null : `give the bare name: ${read.name}`
}

/** The same; throws an `invalid` Fault at `domain` with the problem. */
export function domainName(text: string): RegistrableName {
  const read = readDomainName(text)
  if ('wrong' in read) throw new Fault('invalid', `domain: ${read.wrong}.`, { loc: ['domain'] })
  return read
}

/** The registrable domain of a name. Throws as `domainName`. */
export function registrableDomain(name: string): string {
  return domainName(name).domain
}

import { domainToUnicode } from 'node:url'
import { parse } from '../../_shared/public-suffixes.js'
import { asciiName, mixedScripts, NAME_FAULTS, readDomainName } from '../../registration/contract.js'
import { extensionOf } from '../catalogue/extensions.js'

/** A registrable domain. */
export interface DomainName {
  /** As A-labels. */
  readonly domain: string
  /** Its part before the extension. */
  readonly name: string
  readonly tld: string
  /** The given name was below it. */
  readonly cut: boolean
}

/** The problem with a text that should be a name, as a sentence without its subject. */
export interface Wrong {
  readonly wrong: string
}

const ONE_NAME = 'give a single name such as acme, without dots, blanks, scheme or path'
const LABEL = /^(?!-)(?!(?!xn)..--)[a-z0-9-]{1,63}(?<!-)$/

/** Parses a domain, or any name below one, by the Public Suffix List without its private part. */
export function readDomain(text: string): DomainName | Wrong {
  const read = readDomainName(text)
  if ('wrong' in read) return { wrong: read.fault === 'suffix' ? noDomain(text) : read.wrong }
  const last = read.suffix.slice(read.suffix.lastIndexOf('.') + 1)
  if (extensionOf(last) === undefined) return { wrong: `there is no extension .${last}` }
  return checked({ domain: read.domain, name: read.label, tld: read.suffix, cut: read.domain !== read.name })
}

/** The problem with a name that is itself a suffix. */
function noDomain(text: string): string {
  const ascii = asciiOf(text)
  if (typeof ascii !== 'string' || !ascii.includes('.')) return 'it has no extension, such as .com'
  const last = ascii.slice(ascii.lastIndexOf('.') + 1)
  return extensionOf(last) === undefined
    ? `there is no extension .${last}`
    : `${ascii} is an extension below which names are registered, not a domain`
}

/** Parses a name without extension, such as `acme`. */
export function readLabel(text: string): { readonly name: string; readonly tld: null } | Wrong {
  const ascii = asciiOf(text)
  if (typeof ascii !== 'string') return { wrong: ONE_NAME }
  if (ascii.includes('.')) return { wrong: ONE_NAME }
  const read = checked({ domain: ascii, name: ascii, tld: '', cut: false })
  return 'wrong' in read ? read : { name: read.name, tld: null }
}

/** Parses an extension, with or without a leading dot, as A-labels. */
export function readTld(text: string): { readonly tld: string } | Wrong {
  const ascii = asciiOf(text.replace(/^\./, ''))
  if (typeof ascii !== 'string') return ascii
  const { publicSuffix, isIcann } = parse(`a.${ascii}`, { allowPrivateDomains: false, validateHostname: false })
  const known = extensionOf(ascii) !== undefined || (isIcann === true && publicSuffix === ascii)
  return known ? { tld: ascii } : { wrong: `there is no extension .${ascii}` }
}

function asciiOf(text: string): string | Wrong {
  const read = asciiName(text)
  return 'fault' in read ? { wrong: NAME_FAULTS[read.fault] } : read.ascii
}

function checked(read: DomainName): DomainName | Wrong {
  const labels = read.domain.split('.')
  if (!labels.every((label) => LABEL.test(label))) return { wrong: 'it is not a domain name' }
  if (labels.some((label) => mixedScripts(domainToUnicode(label)).length > 0))
    return { wrong: 'a part of it mixes letters of several scripts' }
  return read
}

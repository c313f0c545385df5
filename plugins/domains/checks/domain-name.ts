import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { extensionOf } from '../catalogue/extensions.js'
import { mixesScripts } from './scripts.js'

/** A domain that somebody can register. */
export interface DomainName {
  /** As A-labels. */
  readonly domain: string
  /** Its part before the extension. */
  readonly name: string
  readonly tld: string
  /** What was given stood below it. */
  readonly cut: boolean
}

/** What is wrong with a text that should be a name, as a sentence without its subject. */
export interface Wrong {
  readonly wrong: string
}

const LABEL = /^(?!-)(?!(?!xn)..--)[a-z0-9-]{1,63}(?<!-)$/
/** Letters and digits of any script, their marks, hyphens and full stops; below the domain an underscore too. */
const NAME = /^[\p{L}\p{M}\p{N}_.-]+$/u

/** Reads a full domain, or any name below one, by the Public Suffix List without its private part. */
export function readDomain(text: string): DomainName | Wrong {
  const ascii = asciiOf(text)
  if (typeof ascii !== 'string') return ascii
  if (!ascii.includes('.')) return { wrong: 'it has no extension, such as .com' }
  const { domain, publicSuffix, domainWithoutSuffix, isIp } = parse(ascii, { allowPrivateDomains: false, validateHostname: false })
  if (isIp === true) return { wrong: 'it is an IP address, not a domain' }
  const last = ascii.slice(ascii.lastIndexOf('.') + 1)
  if (extensionOf(last) === undefined) return { wrong: `there is no extension .${last}` }
  if (domain === null || publicSuffix === null) return { wrong: `${ascii} is an extension below which names are registered, not a domain` }
  return checked({ domain, name: domainWithoutSuffix ?? '', tld: publicSuffix, cut: domain !== ascii })
}

/** Reads a name without extension, such as `acme`. */
export function readLabel(text: string): { readonly name: string; readonly tld: null } | Wrong {
  const ascii = asciiOf(text)
  if (typeof ascii !== 'string') return ascii
  if (ascii.includes('.')) return { wrong: 'give a single name without dots' }
  const read = checked({ domain: ascii, name: ascii, tld: '', cut: false })
  return 'wrong' in read ? read : { name: read.name, tld: null }
}

/** Reads an extension, with a dot in front or without, as A-labels. */
export function readTld(text: string): { readonly tld: string } | Wrong {
  const ascii = asciiOf(text.replace(/^\./, ''))
  if (typeof ascii !== 'string') return ascii
  const { publicSuffix, isIcann } = parse(`a.${ascii}`, { allowPrivateDomains: false, validateHostname: false })
  const known = extensionOf(ascii) !== undefined || (isIcann === true && publicSuffix === ascii)
  return known ? { tld: ascii } : { wrong: `there is no extension .${ascii}` }
}

function asciiOf(text: string): string | Wrong {
  if (/[:/?#@\\\s]/.test(text)) return { wrong: 'give a bare name such as example.com, without scheme, port, path or blanks' }
  if (text.startsWith('.') || text.endsWith('.') || text.includes('..'))
    return { wrong: 'a name has no dot at either end and no empty part' }
  const ascii = NAME.test(text) ? domainToASCII(text) : ''
  return ascii === '' || ascii.length > 253 ? { wrong: 'it is not a domain name' } : ascii
}

function checked(read: DomainName): DomainName | Wrong {
  const labels = read.domain.split('.')
  if (!labels.every((label) => LABEL.test(label))) return { wrong: 'it is not a domain name' }
  if (labels.some((label) => mixesScripts(domainToUnicode(label)))) return { wrong: 'a part of it mixes letters of several scripts' }
  return read
}

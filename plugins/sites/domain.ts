import { domainToUnicode } from 'node:url'
import { Fault, type Violation } from '../../core/sdk/index.js'
import { domainName, type DomainName } from '../registration/contract.js'

/** Characters and length of a label that DNS is asked for. */
const LABEL = /^[a-z0-9_-]{1,63}$/

/** The name as A-labels in lower case; what is no domain stays as it is, for `domainViolations` to refuse. */
export function normalDomain(name: string): string {
  const read = readDomain(name)
  return typeof read === 'string' ? name : read.name
}

/** What to write instead of a text that is no domain, at `domain`. */
export function domainViolations(name: string): readonly Violation[] {
  const read = readDomain(name)
  return typeof read === 'string' ? [{ loc: ['domain'], msg: read }] : []
}

/** A name that `domainViolations` let pass, and the registrable domain above it. Throws an `invalid` Fault for any other. */
export function siteName(name: string): DomainName {
  const read = readDomain(name)
  if (typeof read === 'string') throw new Fault('invalid', `domain: ${read}.`, { loc: ['domain'] })
  return read
}

const SCRIPTS = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
] as const

/** Scripts with letters that look alike which one label of a name mixes; none for most names. */
export function mixedScripts(domain: string): readonly string[] {
  for (const label of domainToUnicode(domain).split('.')) {
    const scripts = SCRIPTS.flatMap(([name, letters]) => (letters.test(label) ? [name] : []))
    if (scripts.length > 1) return scripts
  }
  return []
}

function readDomain(name: string): DomainName | string {
  try {
    const read = domainName(name)
    return read.name.split('.').every((label) => LABEL.test(label)) ? read : 'it is not a domain name'
  } catch (error) {
    if (!Fault.is(error)) throw error
    return hint(name) ?? error.message.replace(/^domain: /, '').replace(/\.$/, '')
  }
}

/** The bare name inside an address, a mailbox or a name with dots around it: what the caller probably means. */
function hint(name: string): string | null {
  const bare = name
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/s, '')
    .replace(/:\d*$/, '')
    .replace(/^\.+|\.+$/g, '')
  if (bare === name || bare === '') return null
  try {
    return `give the bare name: ${domainName(bare).name}`
  } catch (error) {
    if (!Fault.is(error)) throw error
    return null
  }
}

import { domainToASCII } from 'node:url'
import type { Registrant } from '../record.js'

const MOST_SERVERS = 50
const LONGEST = 300
/** Registries' placeholders for non-public values. */
const HIDDEN =
  /redacted|not disclosed|^not shown|^not published|^data protected|\bgdpr\b|statutory masking|^hidden(?: upon user request)?$|withheld for privacy|^withheld|please query the rdds|^private person|^ano nymous|^n\/a\b|\*\*\*|^non-public|^not applicable|^(?:none|null|unknown|undefined|not (?:available|provided|set))$|^[-.]+$/i

/** Placeholders in the form of a host name. */
const NO_HOST =
  /(?:^|\.)(?:invalid|local|localhost|localdomain|none|null|undefined|unknown|applicable|available|specified|defined|delegated)$/

/** A value for the answer: null when it is empty or marked as not public. */
export function publicValue(value: string | undefined): string | null {
  const text = (value ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST)
  return text === '' || HIDDEN.test(text) ? null : text
}

/** A host name without the root dot, in lower case as A-labels, or null: the first word of the value, which addresses may follow. */
export function hostOf(value: string): string | null {
  const word = (value.trim().split(/[\s([/]/, 1)[0] ?? '').replace(/\.$/, '').toLowerCase()
  const name = /^[\x21-\x7e]*$/.test(word) ? word : domainToASCII(word)
  if (NO_HOST.test(name)) return null
  return /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/.test(name) ? name : null
}

/** Distinct host names. A value may list several, each with an ordinal. */
export function hostsOf(values: readonly string[]): string[] {
  const hosts = values.flatMap((value) => value.split(/[,;|]/).flatMap(hostsIn))
  return [...new Set(hosts)].slice(0, MOST_SERVERS)
}

function hostsIn(piece: string): string[] {
  const words = piece
    .replace(/^\s*(?:\d{1,2}[.):]?|[-*•])\s+/, '')
    .trim()
    .split(/\s+/)
  const end = words.findIndex((word) => hostOf(word) === null)
  return words.slice(0, end === -1 ? words.length : end).flatMap((word) => hostOf(word) ?? [])
}

/** A registrant with at least one value, or null. */
export function registrantOf(given: Registrant): Registrant | null {
  return Object.values(given).some((value) => value !== null) ? given : null
}

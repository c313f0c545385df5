import type { Registrant } from '../record.js'

const MOST_SERVERS = 50
const LONGEST = 300
/** What registries write where a value is not public. */
const HIDDEN =
  /redacted|not disclosed|^not shown|^not published|^data protected|\bgdpr\b|statutory masking|^hidden(?: upon user request)?$|withheld for privacy|^withheld|please query the rdds|^private person|^ano nymous|^n\/a\b|\*\*\*|^non-public|^not applicable|^[-.]+$/i

/** A value for the answer: null when it is empty or says that it is not public. */
export function publicValue(value: string | undefined): string | null {
  const text = (value ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST)
  return text === '' || HIDDEN.test(text) ? null : text
}

/** A host name without the dot of the root, in lower case, or null: the first word of the value, behind which addresses may stand. */
export function hostOf(value: string): string | null {
  const name = (value.trim().split(/[\s([]/, 1)[0] ?? '').replace(/\.$/, '').toLowerCase()
  return /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,62})\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/.test(name) ? name : null
}

/** Host names, each once. */
export function hostsOf(values: readonly string[]): string[] {
  return [...new Set(values.flatMap((value) => hostOf(value) ?? []))].slice(0, MOST_SERVERS)
}

/** A registrant of whom something is known, or null. */
export function registrantOf(given: Registrant): Registrant | null {
  return Object.values(given).some((value) => value !== null) ? given : null
}

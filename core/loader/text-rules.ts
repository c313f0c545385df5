import type { Capability, DeclaredList, PluginContribution, TObject } from '../sdk/index.js'
import { isRecord } from '../sdk/json.js'

/** Control, format (bidirectional, zero-width, tags), private and surrogate characters, and line separators. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u
/** The same without the line ends and tabs that an example's values (source code) may have. */
const VALUES = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u
/** Keywords that tool formats refuse at the top of a parameter schema. */
const NOT_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'if']
const TITLE = 80
const DESCRIPTION = 900
const PARAMETER = 500

/**
 * The fault of the texts a capability shows to models and people, or null: lengths, hidden characters, a description
 * for each parameter, a parameter schema that every tool format accepts.
 */
export function textFault(capability: Capability): string | null {
  const { id, title, description, input, examples } = capability
  const top = NOT_AT_TOP.find((key) => key in input)
  if (top !== undefined)
    return `the input of ${id} has "${top}" at the top, which tool formats refuse: use \`check\` for rules over several fields`
  const undescribed = parametersFault(id, input)
  if (undescribed !== null) return undescribed
  if (examples.length === 0) return `${id} has no example`
  const long = lengthFault(`the title of ${id}`, title, TITLE) ?? lengthFault(`the description of ${id}`, description, DESCRIPTION)
  return long ?? hiddenIn(id, { title, description, input }) ?? hiddenIn(`${id}.examples`, examples, VALUES)
}

/** The fault of a list's texts, or null. */
export function listTextFault(where: string, { title, description, query }: DeclaredList): string | null {
  return (
    lengthFault(`the title of ${where}`, title, TITLE) ??
    lengthFault(`the description of ${where}`, description, DESCRIPTION) ??
    parametersFault(where, query) ??
    hiddenIn(where, { title, description, query })
  )
}

function parametersFault(where: string, { properties }: TObject): string | null {
  for (const [name, property] of Object.entries(properties)) {
    const about: unknown = isRecord(property) ? property.description : undefined
    const fault = lengthFault(`the description of ${where}'s parameter "${name}"`, about, PARAMETER)
    if (fault !== null) return fault
  }
  return null
}

/** The fault of a manifest's texts, or null. */
export function manifestTextFault(manifest: PluginContribution): string | null {
  return (
    lengthFault('the title', manifest.title, TITLE) ??
    lengthFault('the version', manifest.version, 40) ??
    hiddenIn('the manifest', { title: manifest.title, version: manifest.version })
  )
}

function lengthFault(what: string, text: unknown, most: number): string | null {
  if (typeof text !== 'string' || text.trim() === '') return `${what} is missing`
  return text.length > most ? `${what} has ${String(text.length)} characters, more than ${String(most)}` : null
}

function hiddenIn(where: string, value: unknown, pattern = HIDDEN): string | null {
  if (typeof value === 'string') {
    const found = pattern.exec(value)
    return found === null
      ? null
      : `${where} has a control or hidden character (U+${(found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, part] of Object.entries(value)) {
    const fault = hiddenIn(key, key) ?? (key === 'pattern' ? null : hiddenIn(`${where}.${key}`, part, pattern))
    if (fault !== null) return fault
  }
  return null
}

import { isRecord } from '../../core/sdk/index.js'
import { statementsOf, type Claims } from './statements.js'

/** An item of Wikidata, with the requested parts. */
export interface Entity {
  readonly id: string
  /** In English, or language-independent; null when the item has none. */
  readonly label: string | null
  readonly description: string | null
  readonly aliases: readonly string[]
  readonly claims: Claims
}

/** The requested languages: most names of people are only under `mul`, for all languages. */
export const LANGUAGES = ['en', 'mul'] as const

/** The item with an id in a reply of `entitiesCall`, also one that was merged into another; null when absent. */
export function entityOf(entities: Readonly<Record<string, unknown>>, id: string): Entity | null {
  const found = Object.hasOwn(entities, id) ? entities[id] : Object.values(entities).find((entity) => redirectedFrom(entity) === id)
  if (!isRecord(found) || 'missing' in found || typeof found['id'] !== 'string') return null
  const { labels, descriptions, aliases, claims } = found
  return {
    id: found['id'],
    label: inLanguage(labels),
    description: inLanguage(descriptions),
    aliases: LANGUAGES.flatMap((language) => textsIn(isRecord(aliases) ? aliases[language] : undefined)),
    claims: isRecord(claims) ? claims : {},
  }
}

/** Distinct ids of the items in the values of these properties, for the second request that returns their labels. */
export function itemsIn(claims: Claims, properties: readonly string[], qualifiers: readonly string[] = []): string[] {
  const values = properties
    .flatMap((property) => statementsOf(claims, property))
    .flatMap((statement) => [statement.value, ...qualifiers.flatMap((property) => statement.qualifiers[property] ?? [])])
  return [...new Set(values.flatMap((value) => (value.type === 'item' ? [value.id] : [])))]
}

/** Address of a picture at Wikimedia Commons by its file name; it returns the file itself, `width` pixels wide. */
export function commonsFile(name: string, width: number): string {
  return `https://commons.wikimedia.org/wiki/Special:FilePath/${encodeURIComponent(name.replaceAll(' ', '_'))}?width=${String(width)}`
}

function inLanguage(texts: unknown): string | null {
  return LANGUAGES.flatMap((language) => textsIn(isRecord(texts) ? [texts[language]] : []))[0] ?? null
}

function textsIn(list: unknown): string[] {
  return (Array.isArray(list) ? list : []).flatMap((entry: unknown) =>
    isRecord(entry) && typeof entry['value'] === 'string' && entry['value'].trim() !== '' ? [entry['value'].trim()] : [],
  )
}

function redirectedFrom(entity: unknown): unknown {
  return isRecord(entity) && isRecord(entity['redirects']) ? entity['redirects']['from'] : undefined
}

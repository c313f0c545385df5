import { isRecord } from '../../core/sdk/index.js'
import { statementsOf, type Claims } from './statements.js'

/** An item of Wikidata, as far as it was asked for. */
export interface Entity {
  readonly id: string
  /** In English, or in all languages alike; null where the item has none. */
  readonly label: string | null
  readonly description: string | null
  readonly aliases: readonly string[]
  readonly claims: Claims
}

/** The languages that are asked for: most names of people are under `mul` alone, for all languages. */
export const LANGUAGES = ['en', 'mul'] as const

/** The item of an id in a reply of `entitiesCall`, also one that was merged into another; null where there is none. */
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

/** Ids of the items that are in the values of these properties, each once, for the second request that gives their names. */
export function itemsIn(claims: Claims, properties: readonly string[], qualifiers: readonly string[] = []): string[] {
  const values = properties
    .flatMap((property) => statementsOf(claims, property))
    .flatMap((statement) => [statement.value, ...qualifiers.flatMap((property) => statement.qualifiers[property] ?? [])])
  return [...new Set(values.flatMap((value) => (value.type === 'item' ? [value.id] : [])))]
}

/** Address of a picture at Wikimedia Commons by the name of its file; it leads to the file itself, `width` pixels wide. */
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

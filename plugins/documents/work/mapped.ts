import { isRecord } from '../../../core/sdk/json.js'
import { collectionsOf, everyItem, typesOf } from './collections.js'
import { completed, hasValue } from './complete.js'
import { Filling, MOST_ITEMS } from './fill.js'
import { labelLines, labelSentences } from './label-lines.js'
import { markdownTables } from './markdown-tables.js'
import { SchemaPlaces } from './schema-places.js'
import { keyOf, singular } from './synonyms.js'
import { labelRecord, type TableRows } from './table-records.js'

type Fields = Readonly<Record<string, unknown>>

export interface MappedInput {
  readonly schema: Fields
  readonly prompt: string | null
  readonly text: string
  /** Items of schema.org and similar vocabularies. */
  readonly items: readonly Fields[]
  /** Metadata of the page. */
  readonly metadata: Fields
  readonly tables: readonly TableRows[]
}

export interface Mapped {
  readonly extracted: Fields
  /** Names of the schema without a value. */
  readonly absent: readonly string[]
  /** Nothing was found. */
  readonly empty: boolean
  /** A list has reached its maximum length. */
  readonly truncated: boolean
}

/** Items about the site or the page rather than its subject. */
const AROUND = new Set(
  'website webpage breadcrumblist searchaction imageobject listitem sitenavigationelement itemlist collectionpage webpageelement'.split(
    ' ',
  ),
)
/** Most items tried as the page's subject. */
const MOST_ROOTS = 200

/** Fills a schema from a source's structured data: items, metadata, tables, labelled lines and sentences. */
function mapped({ schema, prompt, text, items, metadata, tables }: MappedInput): Mapped {
  const places = new SchemaPlaces(schema)
  const all = everyItem(items)
  const rows = [...tables, ...markdownTables(text)]
  const filling = new Filling(places, collectionsOf(all, rows))
  // The choice of the main item does not depend on its lists, and each would be built for each item.
  const scoring = new Filling(places, [])
  const others = [metadata, ...rows.map(labelRecord).filter((record) => record !== null), labelLines(text), labelSentences(text)]
  const top = places.top()
  const required = places.required(top)
  const described = [prompt, schema.title, schema.description].filter((each) => typeof each === 'string').join(' ')
  const about = new Set(described.split(/\s+/).map((word) => singular(keyOf(word))))
  const roots = all.slice(0, MOST_ROOTS).map((item, at) => {
    const found = scoring.object(top, [item])
    const has = (name: string): boolean => hasValue(found[name])
    const kinds = typesOf(item)
    const named = kinds.some((kind) => about.has(kind)) ? 2 : 0
    const score =
      required.filter(has).length * 2 + Object.keys(found).filter(has).length + named - (kinds.every((kind) => AROUND.has(kind)) ? 3 : 0)
    return { item, at, score }
  })
  const best = roots.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score || one.at - other.at)[0]
  const found = filling.object(top, [...(best === undefined ? [] : [best.item]), ...others])
  const extracted = completed(isRecord(found) ? found : {}, places)
  const truncated = Object.values(extracted).some((value) => Array.isArray(value) && value.length >= MOST_ITEMS)
  return { extracted, absent: places.names(top).filter((name) => !hasValue(extracted[name])), empty: !hasValue(extracted), truncated }
}

export default mapped

import { editDistance } from '../../../core/sdk/index.js'
import type { Format } from './format.js'
import { FORMATS } from './table.js'

const BY_NAME: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) => [format.id, ...(format.aliases ?? [])].map((name): [string, Format] => [name, format])),
)

/** The format of an id or an alias, case-insensitive and with or without a dot. */
export function formatOf(name: string): Format | null {
  return BY_NAME.get(formless(name)) ?? null
}

function formless(name: string): string {
  return name.trim().toLowerCase().replace(/^\./, '')
}

interface Formats {
  readonly source_format: string
  readonly target_format: string
}

/** Replaces aliases by ids; unknown names stay, in lower case. */
export function normalised<T extends Formats>(input: T): T {
  const id = (name: string): string => formatOf(name)?.id ?? formless(name)
  return { ...input, source_format: id(input.source_format), target_format: id(input.target_format) }
}

const LIST = 'GET /v1/files/formats lists all'

/** The message for an unknown format, with the closest matches that `offered` accepts. */
export function noFormat(name: string, offered: (id: string) => boolean = () => true): string {
  const near = nearestFormats(name, offered)
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`
  return `There is no format ${JSON.stringify(name)}.${hint} ${LIST}`
}

/** Ids of formats of a media type, or with a name or alias similar to a mistyped one, the closest first. */
export function nearestFormats(name: string, offered: (id: string) => boolean = () => true, most = 4): string[] {
  const wanted = formless(name)
  const ofType = FORMATS.filter(({ mime, id }) => mime === wanted && offered(id)).map(({ id }) => id)
  if (ofType.length > 0) return ofType.slice(0, most)
  const furthest = Math.min(Math.max(1, Math.floor(wanted.length / 3)), Math.floor(wanted.length / 2))
  const scored = [...BY_NAME].map(([known, { id }]) => {
    const begun = known.startsWith(wanted) ? 1 : 0
    return { id, edits: editDistance(wanted, known, furthest + begun) - begun }
  })
  const near = scored.filter(({ id, edits }) => edits <= furthest && offered(id)).sort((one, other) => one.edits - other.edits)
  return [...new Set(near.map(({ id }) => id))].slice(0, most)
}

/** The file extension of a format. */
export function extensionOf(id: string): string {
  return formatOf(id)?.extension ?? id
}

import type { Format } from './format.js'
import { FORMATS } from './table.js'

const BY_NAME: ReadonlyMap<string, Format> = new Map(
  FORMATS.flatMap((format) => [format.id, ...(format.aliases ?? [])].map((name): [string, Format] => [name, format])),
)

/** The format of an id or an alias, in any case and with or without a dot. */
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

/** Ids in place of aliases; names that are unknown stay, in small letters. */
export function normalised<T extends Formats>(input: T): T {
  const id = (name: string): string => formatOf(name)?.id ?? formless(name)
  return { ...input, source_format: id(input.source_format), target_format: id(input.target_format) }
}

const LIST = 'GET /v1/files/formats lists all'

/** That there is no such format, and which were probably meant. */
export function noFormat(name: string): string {
  const near = nearestFormats(name)
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`
  return `There is no format ${JSON.stringify(name)}.${hint} ${LIST}`
}

/** Ids of formats of a media type, or whose name or alias is near a mistyped one, the nearest first. */
export function nearestFormats(name: string, most = 4): string[] {
  const wanted = formless(name)
  const ofType = FORMATS.filter(({ mime }) => mime === wanted).map(({ id }) => id)
  if (ofType.length > 0) return ofType.slice(0, most)
  const furthest = Math.min(Math.max(1, Math.floor(wanted.length / 3)), Math.floor(wanted.length / 2))
  const scored = [...BY_NAME].map(([known, { id }]) => ({ id, edits: distance(wanted, known) - (known.startsWith(wanted) ? 1 : 0) }))
  const near = scored.filter(({ edits }) => edits <= furthest).sort((one, other) => one.edits - other.edits)
  return [...new Set(near.map(({ id }) => id))].slice(0, most)
}

/** Letters to insert, delete, replace or swap with their neighbour. */
function distance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? (before[j - 2] ?? 0) + 1 : replaced
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

/** The extension of a file name of a format. */
export function extensionOf(id: string): string {
  return formatOf(id)?.extension ?? id
}

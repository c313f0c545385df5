import { nearest } from '../../../core/sdk/nearest.js'
import { UsageError } from './failure.js'
import { isRecord } from '../../../core/sdk/json.js'
import { fieldOf, textOf, type Fields } from './record.js'

/** A capability as `GET /v1/tools?format=raw` lists it. */
interface ListedCapability {
  readonly id: string
  readonly path: string
  /** JSON Schemas by parameter. */
  readonly parameters: Fields
  /** Parameters that name the format of a file, by the parameter with its address. */
  readonly formatOf: Fields
}

/** The capabilities of a raw tools answer; invalid entries are skipped. */
export function capabilitiesOf(body: unknown): ListedCapability[] {
  const list = fieldOf(body, 'capabilities')
  if (!Array.isArray(list)) return []
  return list.flatMap((each: unknown) => {
    const id = textOf(each, 'id')
    const path = textOf(each, 'path')
    const properties = fieldOf(fieldOf(each, 'input'), 'properties')
    const formats = fieldOf(each, 'format_of')
    if (id === null || path === null) return []
    return [{ id, path, parameters: isRecord(properties) ? properties : {}, formatOf: isRecord(formats) ? formats : {} }]
  })
}

/** The capability that a word names: its id, or with `_`, `-` or `/` for the dot. Throws a UsageError with the nearest id. */
export function findCapability(list: readonly ListedCapability[], word: string): ListedCapability {
  const same = (text: string): string => text.toLowerCase().replace(/[_\-/]/g, '.')
  const found = list.find(({ id, path }) => same(id) === same(word) || path === word)
  if (found !== undefined) return found
  const ids = list.map(({ id }) => id)
  const near = nearest(word, ids)
  throw new UsageError(`there is no capability ${word}; ${near === null ? `there are ${ids.join(', ')}` : `did you mean ${near}?`}`)
}

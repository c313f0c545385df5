import type { Violation } from '../../core/sdk/index.js'
import { formatOf, nearestFormats } from './formats/find.js'

const LIST = 'GET /v1/files/formats lists all'

/** Formats that are not in the table, with the nearest that are. */
export function violations(input: { readonly source_format: string; readonly target_format: string }): Violation[] {
  return (['source_format', 'target_format'] as const).flatMap((field) => {
    const name = input[field]
    if (formatOf(name) !== null) return []
    const near = nearestFormats(name)
    const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`
    return [{ loc: [field], msg: `There is no format ${JSON.stringify(name)}.${hint} ${LIST}`, type: 'format' }]
  })
}

import { addressViolations } from '../_shared/address.js'
import type { Violation } from '../../core/sdk/index.js'
import { anyEngine } from './engines.js'
import { formatOf, noFormat } from './formats/find.js'
import { FORMATS } from './formats/table.js'
import { pathsOf } from './plan.js'

interface ConvertFields {
  readonly file_url: string
  readonly source_format: string
  readonly target_format: string
}

/**
 * Violations for an invalid address and unknown formats, with similar names; for targets only those that the source
 * can be converted to.
 */
export function violations(input: ConvertFields): Violation[] {
  const from = formatOf(input.source_format)
  const reached = (id: string): boolean => from === null || pathsOf(from.id, id, anyEngine).length > 0
  const read = (id: string): boolean => FORMATS.some((to) => anyEngine(id, to.id))
  const unknown = (['source_format', 'target_format'] as const).filter((field) => formatOf(input[field]) === null)
  return [
    ...addressViolations(input.file_url, { loc: ['file_url'], file: true }),
    ...unknown.map((field) => ({ loc: [field], msg: noFormat(input[field], field === 'target_format' ? reached : read), type: 'format' })),
  ]
}

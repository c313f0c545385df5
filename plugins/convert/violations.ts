import { addressViolations, type Violation } from '../../core/sdk/index.js'
import { formatOf, noFormat } from './formats/find.js'

interface Asked {
  readonly file_url: string
  readonly source_format: string
  readonly target_format: string
}

/** An address that is none, and formats that are not in the table, with the nearest that are. */
export function violations(input: Asked): Violation[] {
  const unknown = (['source_format', 'target_format'] as const).filter((field) => formatOf(input[field]) === null)
  return [
    ...addressViolations(input.file_url, { loc: ['file_url'], file: true }),
    ...unknown.map((field) => ({ loc: [field], msg: noFormat(input[field]), type: 'format' })),
  ]
}

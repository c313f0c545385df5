import { addressViolations } from '../_shared/address.js'
import { checkedSchema } from './schema/checked-schema.js'
import type { Violation } from '../../core/sdk/index.js'
import type { ExtractInput } from './contract.js'

/** Keywords that name something to extract; a schema needs one of them. */
const NAMING = ['properties', 'patternProperties', 'additionalProperties', 'required', '$ref', 'allOf', 'anyOf', 'oneOf']

/** Violations of an input beyond the form of its fields; `loc` names the field to add or change. */
export function violations({ url, content, extraction_prompt: prompt, schema }: ExtractInput): Violation[] {
  const found: Violation[] = []
  if (url === null && content === null)
    found.push({ loc: ['url'], msg: 'give url, the address of a page or document, or content, the text itself', type: 'missing' })
  if (url !== null && content !== null) found.push({ loc: ['content'], msg: 'give either url or content, not both', type: 'conflict' })
  if (url !== null) found.push(...addressViolations(url, { loc: ['url'], file: true }))
  const bad = schema === null ? [] : schemaViolations(schema)
  found.push(...bad)
  if (prompt === null && bad.length === 0 && (schema === null || !NAMING.some((keyword) => keyword in schema)))
    found.push({
      loc: ['extraction_prompt'],
      msg: schema === null ? 'give extraction_prompt or schema' : 'give extraction_prompt, since the schema names no properties',
      type: 'missing',
    })
  return found
}

function schemaViolations(schema: Readonly<Record<string, unknown>>): readonly Violation[] {
  const found = checkedSchema(schema, ['schema']).violations
  if (found.length > 0) return found
  const { type } = schema
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  if (type === undefined || types.includes('object')) return []
  return [{ loc: ['schema', 'type'], msg: 'must be object: put a list or a single value under a separate property', type: 'json_schema' }]
}

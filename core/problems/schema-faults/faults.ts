import type { TSchema, Validator } from '../../sdk/index.js'
import { at, partsOf, schemaOf } from './at.js'
import { withoutAlternatives } from './alternatives.js'
import { sentence } from './sentence.js'

/** A place in a value where it does not fit its schema. */
interface SchemaFault {
  /** Names and indices, down to the missing or unknown field. */
  readonly path: readonly string[]
  readonly keyword: string
  /** The requirement, in a sentence for the caller. */
  readonly says: string
}

/** Most faults to process: a hostile value has as many as it has parts. */
const MOST_FAULTS = 1_000

/** The faults of the validator's last check, at most 1,000. `texts`: all values were texts, as in a query string. */
export function schemaFaults(
  { schema, errors }: Pick<Validator<TSchema>, 'schema' | 'errors'>,
  value: unknown,
  { texts = false }: { readonly texts?: boolean } = {},
): SchemaFault[] {
  const { faults, alternatives } = withoutAlternatives(schema, errors().slice(0, MOST_FAULTS))
  const single = withoutFollowers(faults).map(({ keyword, instancePath, schemaPath, message = 'does not fit', ...fault }): SchemaFault => {
    const path = partsOf(instancePath)
    const params: Readonly<Record<string, unknown>> = fault.params
    const field = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
    const place = keyword === 'dependentRequired' || typeof field !== 'string' ? path : [...path, field]
    return {
      path: place,
      keyword,
      says: sentence({ keyword, params, schema: schemaOf(schema, schemaPath), value: at(value, path), message, texts }),
    }
  })
  // An `enum` already implies the type, so only it is reported.
  const listed = new Set(single.filter(({ keyword }) => keyword === 'enum').map(({ path }) => path.join('/')))
  const once = single.filter(({ keyword, path }) => keyword !== 'type' || !listed.has(path.join('/')))
  return [...once, ...alternatives.map(({ instancePath, says }) => ({ path: partsOf(instancePath), keyword: 'anyOf', says }))]
}

/** Leading keywords, and the faults of the same value that they make redundant. */
const LEADING: ReadonlyMap<string, readonly string[]> = new Map([
  ['enum', ['type']],
  ['const', ['type']],
  ['minLength', ['pattern', 'format']],
])

function withoutFollowers<F extends { readonly keyword: string; readonly instancePath: string }>(faults: readonly F[]): F[] {
  const said = new Set(
    faults.flatMap(({ keyword, instancePath }) => (LEADING.get(keyword) ?? []).map((other) => `${other} ${instancePath}`)),
  )
  return faults.filter(({ keyword, instancePath }) => !said.has(`${keyword} ${instancePath}`))
}

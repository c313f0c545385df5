import type { TSchema, Validator } from '../../sdk/index.js'
import { at, partsOf, schemaOf } from './at.js'
import { withoutAlternatives } from './alternatives.js'
import { sentence } from './sentence.js'

/** A place in a value where it does not fit its schema. */
interface SchemaFault {
  /** Names and indices, down to the field that is missing or not known. */
  readonly path: readonly string[]
  readonly keyword: string
  /** What is wanted there, as the caller understands it. */
  readonly says: string
}

/** Faults that are looked at: a hostile value has as many as it has parts. */
const MOST_FAULTS = 1_000

/** Why the value failed the validator's last check, the first 1,000 places. `texts`: all its values came as text, as those of a query string. */
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
  // One of some values is a text, a number and so on besides: said once.
  const listed = new Set(single.filter(({ keyword }) => keyword === 'enum').map(({ path }) => path.join('/')))
  const once = single.filter(({ keyword, path }) => keyword !== 'type' || !listed.has(path.join('/')))
  return [...once, ...alternatives.map(({ instancePath, says }) => ({ path: partsOf(instancePath), keyword: 'anyOf', says }))]
}

/** What says it all of a value, and which faults of the same value then go without saying. */
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

import type { TSchema, Validator } from '../../sdk/index.js'
import { isRecord } from '../../sdk/json.js'
import { sentence } from './sentence.js'
import { schemaWords } from './words.js'

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

/** The parts of a JSON pointer, or of a fragment that contains one. */
function partsOf(pointer: string): string[] {
  const [, ...parts] = (pointer.startsWith('#') ? decodeURIComponent(pointer.slice(1)) : pointer).split('/')
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a path of names and indices; undefined where there is none. */
function at(value: unknown, parts: readonly string[]): unknown {
  return parts.reduce<unknown>((found, part) => {
    if (Array.isArray(found)) return /^\d+$/.test(part) ? found[Number(part)] : undefined
    return isRecord(found) && Object.hasOwn(found, part) ? found[part] : undefined
  }, value)
}

/** The schema whose keyword a fault is about. */
function schemaOf(root: unknown, schemaPath: string): Readonly<Record<string, unknown>> {
  const found = at(root, partsOf(schemaPath).slice(0, -1))
  return isRecord(found) ? found : {}
}

/** The fields of a fault that identify its place. */
interface PlacedFault {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
}

/** A value that matches none of a schema's alternatives. */
interface Alternatives {
  readonly instancePath: string
  /** A sentence that names the accepted alternatives. */
  readonly says: string
}

/**
 * Replaces the faults of all alternatives of a value by one sentence. Where only one alternative is not null, its own faults are more
 * specific and are kept.
 */
function withoutAlternatives<F extends PlacedFault>(
  root: unknown,
  faults: readonly F[],
): { faults: readonly F[]; alternatives: Alternatives[] } {
  const alternatives: Alternatives[] = []
  let rest = faults
  for (const fault of faults) {
    if (!isChoice(fault)) continue
    const choices = at(root, partsOf(fault.schemaPath))
    const branches = Array.isArray(choices)
      ? choices.map((schema: unknown, index) => ({ schema, path: `${fault.schemaPath}/${index}/` }))
      : []
    const real = branches.filter(({ schema }) => !(isRecord(schema) && schema.type === 'null'))
    const inside = (other: F): boolean =>
      other.instancePath.startsWith(fault.instancePath) && other.schemaPath.startsWith(`${fault.schemaPath}/`)
    const [only, ...others] = real
    if (only !== undefined && others.length === 0)
      rest = rest.filter((other) => other !== fault && (!inside(other) || other.schemaPath.startsWith(only.path)))
    else {
      rest = rest.filter((other) => other !== fault && !inside(other))
      alternatives.push({ instancePath: fault.instancePath, says: choiceWords(branches.map(({ schema }) => schema)) })
    }
  }
  return { faults: rest.filter(({ keyword }) => keyword !== 'if' || rest.length === 1), alternatives }
}

function isChoice({ keyword }: PlacedFault): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf'
}

function choiceWords(schemas: readonly unknown[]): string {
  const words = schemas.map(schemaWords)
  return words.every((each) => each !== null) && words.length > 0
    ? `must be ${[...new Set(words)].join(', or ')}`
    : 'has none of the accepted forms'
}

import { isRecord } from '../../sdk/json.js'
import { at, partsOf } from './at.js'
import { schemaWords } from './words.js'

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
export function withoutAlternatives<F extends PlacedFault>(
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

import { isRecord } from '../../../core/sdk/json.js'

type Schema = Readonly<Record<string, unknown>>

/** The schemas of one position in a value. */
export interface Place {
  /** Schemas of the position, as written. */
  readonly written: readonly unknown[]
  /** The same with referenced and combined schemas, each once. */
  readonly nodes: readonly Schema[]
}

/** How a property of an object is allowed: by name, as an entry of a map, or because names are not restricted. */
export type Property = { readonly by: 'name' | 'map' | 'nothing'; readonly place: Place }

const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const
const INSIDE = ['if', 'then', 'else'] as const
const NOTHING: Place = { written: [], nodes: [] }

/**
 * Looks up the schemas of positions in a value. Branches are combined, since the validator decides which applies.
 * Each schema is visited once.
 */
export class SchemaPlaces {
  readonly #root: Schema
  readonly #expanded = new Map<unknown, readonly Schema[]>()
  readonly #nullable = new Map<unknown, boolean>()

  constructor(root: Schema) {
    this.#root = root
  }

  top(): Place {
    return this.#place([this.#root])
  }

  property({ nodes }: Place, name: string): Property | null {
    const named = nodes.map(({ properties }) => own(properties, name)).filter((schema) => schema !== undefined)
    if (named.length > 0) return { by: 'name', place: this.#place(named) }
    const maps = nodes.flatMap(({ additionalProperties, patternProperties }) => [
      ...(isRecord(patternProperties) ? Object.values(patternProperties) : []),
      ...(additionalProperties === true || isRecord(additionalProperties) ? [additionalProperties] : []),
    ])
    if (maps.length > 0) return { by: 'map', place: this.#place(maps) }
    const closed = nodes.some((node) => 'properties' in node || node.additionalProperties === false)
    return closed ? null : { by: 'nothing', place: NOTHING }
  }

  item({ nodes }: Place, index: number): Place {
    return this.#place(
      nodes.flatMap(({ items, prefixItems }) => {
        const first: unknown = Array.isArray(prefixItems) ? prefixItems[index] : undefined
        return first !== undefined ? [first] : items === undefined ? [] : [items]
      }),
    )
  }

  /** Property names of a position, in written order. */
  names({ nodes }: Place): string[] {
    return [...new Set(nodes.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])))]
  }

  required({ nodes }: Place): string[] {
    return [...new Set(nodes.flatMap(({ required }) => listOf(required).filter((name) => typeof name === 'string')))]
  }

  allowsNull({ written }: Place): boolean {
    return written.every((schema) => this.#allowsNull(schema))
  }

  isList({ nodes }: Place): boolean {
    return nodes.some(({ type }) => type === 'array')
  }

  #place(written: readonly unknown[]): Place {
    return { written, nodes: [...new Set(written.flatMap((schema) => this.#expand(schema)))] }
  }

  #expand(schema: unknown): readonly Schema[] {
    const kept = this.#expanded.get(schema)
    if (kept !== undefined) return kept
    const found = new Set<Schema>()
    const open: unknown[] = [schema]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!isRecord(next) || found.has(next)) continue
      const node = next
      found.add(node)
      open.push(this.#target(node))
      open.push(...BRANCHES.flatMap((keyword) => listOf(node[keyword])))
      for (const keyword of INSIDE) open.push(node[keyword] ?? false)
    }
    const list = [...found]
    this.#expanded.set(schema, list)
    return list
  }

  #allowsNull(schema: unknown): boolean {
    if (!isRecord(schema)) return schema !== false
    const kept = this.#nullable.get(schema)
    if (kept !== undefined) return kept
    // A cycle of schemas adds nothing.
    this.#nullable.set(schema, true)
    const { type, enum: values, allOf, anyOf, oneOf } = schema
    const allowed =
      (type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'))) &&
      (!Array.isArray(values) || values.includes(null)) &&
      (!('const' in schema) || schema.const === null) &&
      (schema.$ref === undefined || this.#allowsNull(this.#target(schema))) &&
      (!Array.isArray(allOf) || allOf.every((each) => this.#allowsNull(each))) &&
      [anyOf, oneOf].every((list) => !Array.isArray(list) || list.some((each) => this.#allowsNull(each)))
    this.#nullable.set(schema, allowed)
    return allowed
  }

  /** The target of `$ref`; false when there is none. */
  #target({ $ref }: Schema): unknown {
    if (typeof $ref !== 'string' || !$ref.startsWith('#')) return false
    const steps = decodeURIComponent($ref.slice(1)).split('/').slice(1)
    return steps.reduce<unknown>((at, step) => own(at, step.replaceAll('~1', '/').replaceAll('~0', '~')) ?? false, this.#root)
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function own(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

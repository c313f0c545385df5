import { type Violation, isRecord } from '../../../core/sdk/index.js'
import { schemaConflicts } from './schema-conflicts.js'
import { IN_PLACE, KEYWORDS, REFUSED, TYPES, type KeywordForm } from './schema-keywords.js'
import { loopOf, pointerOf, type Loc, type SchemaNode } from './schema-refs.js'

/** Maximum characters of names, texts and values together, roughly those of the JSON. */
const MOST_CHARACTERS = 32 * 1024
/** Maximum nesting of schemas. */
const DEEPEST = 12
/** Maximum nesting of its JSON, including values of `enum` and `const`. */
const DEEPEST_JSON = 40
const MOST_VIOLATIONS = 20

/** A pattern of a schema and its location. */
export interface PlacedPattern {
  readonly loc: Loc
  readonly pattern: string
}

/** A caller's schema as far as it is valid; to be used only without violations. */
export interface CheckedSchema {
  readonly schema: Readonly<Record<string, unknown>>
  readonly patterns: readonly PlacedPattern[]
  readonly violations: readonly Violation[]
}

/**
 * Checks the form of a caller's JSON Schema (draft 2020-12) and copies its known keywords: at most 32,768 characters,
 * 12 schemas deep, no external references. The limits bound its time. `loc` is its input field. Errors that only
 * compiling finds, such as a bad pattern, are reported by `callerSchema`.
 */
export function checkedSchema(schema: unknown, loc: Loc): CheckedSchema {
  const over = overSize(schema)
  if (over !== null) return { schema: {}, patterns: [], violations: [{ loc, msg: over, type: 'json_schema' }] }
  const check = new SchemaCheck(loc)
  return check.run(schema)
}

class SchemaCheck {
  readonly #loc: Loc
  readonly #violations: Violation[] = []
  readonly #patterns: PlacedPattern[] = []
  readonly #nodes = new Map<string, SchemaNode>()

  constructor(loc: Loc) {
    this.#loc = loc
  }

  run(schema: unknown): CheckedSchema {
    const copy = schema === true ? {} : this.#schema(schema, [])
    if (this.#violations.length === 0) this.#followRefs()
    return { schema: isRecord(copy) ? copy : {}, patterns: this.#patterns, violations: this.#violations.slice(0, MOST_VIOLATIONS) }
  }

  /** `isDenied` marks a schema that values need not match, which may contradict itself. */
  #schema(given: unknown, path: Loc, parent?: SchemaNode, isDenied = false): unknown {
    if (path.length > 0 && typeof given === 'boolean') {
      this.#node(path, parent)
      return given
    }
    if (!isRecord(given)) return this.#refuse(path, 'must be a JSON Schema, an object')
    const node = this.#node(path, parent)
    if (node.depth > DEEPEST) return this.#refuse(path, `is more than ${DEEPEST} schemas deep`)
    const copy: Record<string, unknown> = {}
    for (const [keyword, value] of Object.entries(given)) {
      const at = [...path, keyword]
      const instead = REFUSED.get(keyword)
      if (instead !== undefined) this.#refuse(at, `is not supported: ${instead}`)
      else if (keyword === '$id' && path.length > 0) this.#refuse(at, 'is allowed only at the top of the schema')
      const form = KEYWORDS.get(keyword)
      if (form !== undefined) copy[keyword] = this.#value(form, { keyword, value, at, node, isDenied })
    }
    if (!isDenied) for (const { keyword, problem: problem } of schemaConflicts(copy)) this.#refuse([...path, keyword], problem)
    return copy
  }

  #value(form: KeywordForm, { keyword, value, at, node, ...held }: Held): unknown {
    const isDenied = held.isDenied || keyword === 'not' || keyword === 'if'
    const inside = IN_PLACE.has(keyword) ? node : { depth: node.depth, next: [] }
    switch (form) {
      case 'schema':
        return Array.isArray(value)
          ? this.#refuse(at, 'must be one schema: use prefixItems for a list')
          : this.#schema(value, at, inside, isDenied)
      case 'schemas':
        if (!Array.isArray(value) || value.length === 0) return this.#refuse(at, 'must be a list of schemas')
        return value.map((each: unknown, index) => this.#schema(each, [...at, index], inside, isDenied))
      case 'named':
        return this.#named(keyword, value, { at, inside, isDenied })
      case 'namesOf':
        if (!isRecord(value) || !Object.values(value).every(isNames)) return this.#refuse(at, 'must map names to lists of names')
        return safeNames(value) ? value : this.#refuse(at, 'holds the name __proto__')
      case 'text':
        return typeof value === 'string' ? this.#text(keyword, value, { at, node }) : this.#refuse(at, 'must be a text')
      default:
        return PLAIN[form].fits(value) ? value : this.#refuse(at, PLAIN[form].problem)
    }
  }

  #named(keyword: string, value: unknown, { at, inside, isDenied }: { at: Loc; inside: SchemaNode; isDenied: boolean }): unknown {
    if (!isRecord(value)) return this.#refuse(at, 'must map names to schemas')
    if (!safeNames(value)) return this.#refuse(at, 'holds the name __proto__')
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        if (keyword === 'patternProperties') this.#patterns.push({ loc: [...this.#loc, ...at, name], pattern: name })
        return [name, this.#schema(each, [...at, name], inside, isDenied)]
      }),
    )
  }

  #text(keyword: string, value: string, { at, node }: { at: Loc; node: SchemaNode }): string {
    if (keyword === 'pattern') this.#patterns.push({ loc: [...this.#loc, ...at], pattern: value })
    if (keyword === '$ref') {
      const target = pointerOf(value)
      if (target === null) this.#refuse(at, 'must point into this schema, such as #/$defs/name')
      else node.next.push({ ref: target, loc: at })
    }
    return value
  }

  #node(path: Loc, parent: SchemaNode | undefined): SchemaNode {
    const node: SchemaNode = { depth: (parent?.depth ?? 0) + 1, next: [] }
    parent?.next.push({ node })
    this.#nodes.set(path.join('\n'), node)
    return node
  }

  #followRefs(): void {
    for (const { next } of this.#nodes.values())
      for (const step of next) if ('ref' in step && !this.#nodes.has(step.ref.join('\n'))) this.#refuse(step.loc, 'points to no schema')
    if (this.#violations.length > 0) return
    const loop = loopOf(this.#nodes)
    if (loop !== null) this.#refuse(loop, 'leads back to itself without a property or item between')
  }

  #refuse(path: Loc, problem: string): undefined {
    const place = path.length === 0 ? 'The schema' : path.map((step) => String(step).slice(0, 100)).join('.')
    this.#violations.push({ loc: [...this.#loc, ...path], msg: `${place} ${problem}`, type: 'json_schema' })
  }
}

interface Held {
  readonly keyword: string
  readonly value: unknown
  readonly at: Loc
  readonly node: SchemaNode
  readonly isDenied: boolean
}

const isNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string')
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const safeNames = (value: object): boolean => !Object.hasOwn(value, '__proto__')

const PLAIN: Readonly<
  Record<
    Exclude<KeywordForm, 'schema' | 'schemas' | 'named' | 'namesOf' | 'text'>,
    { readonly fits: (value: unknown) => boolean; readonly problem: string }
  >
> = {
  type: {
    fits: (value) => TYPES.has(value) || (Array.isArray(value) && value.length > 0 && value.every((type) => TYPES.has(type))),
    problem: 'must be one or more of null, boolean, object, array, number, integer and string',
  },
  count: { fits: (value) => isNumber(value) && Number.isInteger(value) && value >= 0, problem: 'must be a whole number from 0 on' },
  number: { fits: isNumber, problem: 'must be a number' },
  positive: { fits: (value) => isNumber(value) && value > 0, problem: 'must be a number above 0' },
  flag: { fits: (value) => typeof value === 'boolean', problem: 'must be true or false' },
  names: { fits: isNames, problem: 'must be a list of names' },
  values: { fits: (value) => Array.isArray(value) && value.length > 0, problem: 'must be a list of values' },
  any: { fits: () => true, problem: '' },
}

/** The limit that a schema exceeds, found without reading beyond the limits. */
function overSize(schema: unknown): string | null {
  let characters = 0
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next
    characters += typeof value === 'string' ? value.length + 2 : 2
    if (typeof value === 'object' && value !== null) {
      if (depth > DEEPEST_JSON) return `The schema is nested more than ${DEEPEST_JSON} levels deep`
      const keys = Array.isArray(value) ? [] : Object.keys(value)
      for (const key of keys) characters += key.length + 2
      characters += Array.isArray(value) ? value.length : 0
      if (characters <= MOST_CHARACTERS) for (const inner of Object.values(value)) open.push({ value: inner, depth: depth + 1 })
    }
    if (characters > MOST_CHARACTERS) return `The schema is larger than ${MOST_CHARACTERS} characters`
  }
  return null
}

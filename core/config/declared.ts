import type { SchemaCompiler, TObject } from '../sdk/index.js'
import { schemaFaults } from '../problems/schema-faults/faults.js'
import { toBoolean, toNumber } from './convert.js'
import type { Located } from './located.js'
import { pasteFault } from './pasted.js'
import type { ConfigProblem } from '../problems/errors.js'
import { settingVariable, type Environment } from './variables.js'

/** Settings that a plugin or vendor declares, with their sources and problems. */
export interface DeclaredSettings {
  /** Checked values with defaults; an invalid one has its default and is reported in `problems`. */
  readonly values: Readonly<Record<string, unknown>>
  readonly sources: ReadonlyMap<string, 'default' | 'file' | 'variable'>
  readonly problems: readonly ConfigProblem[]
}

interface DeclaredRequest {
  /** The owner's group in the file, by default `plugins`. */
  readonly group?: 'plugins' | 'vendors'
  readonly owner: string
  readonly schema: TObject
  readonly env: Environment
  /** The value of a setting in the file. */
  readonly written: (setting: string) => Located | undefined
  readonly compiler: SchemaCompiler
}

/** Reads declared settings: variable before file before the schema's default. */
export function declaredSettings({ group = 'plugins', owner, schema, env, written, compiler }: DeclaredRequest): DeclaredSettings {
  const given = new Map<string, unknown>()
  const places = new Map<string, string>()
  const sources = new Map<string, 'default' | 'file' | 'variable'>()
  const pasted = new Map<string, ConfigProblem>()
  for (const [name, property] of Object.entries(schema.properties)) {
    const variable = settingVariable(owner, name)
    const text = env.get(variable)
    const node = written(name)
    sources.set(name, text !== undefined ? 'variable' : node !== undefined && node.kind !== 'nothing' ? 'file' : 'default')
    const fault = text === undefined ? null : pasteFault(text)
    if (fault !== null) pasted.set(name, { where: variable, message: `${group}.${owner}.${name} ${fault}`, level: 'error' })
    else if (text !== undefined) given.set(name, fromText(property, text))
    else if (node !== undefined && node.kind !== 'nothing') given.set(name, fromNode(property, node))
    places.set(name, text === undefined && node !== undefined ? node.where : variable)
  }
  const defaults = given.size === 0 && pasted.size === 0 ? plainDefaults(schema) : null
  if (defaults !== null) return { values: defaults, sources, problems: [] }
  const validator = compiler.compile(schema)
  const problems = [...pasted.values()]
  const values: Record<string, unknown> = Object.fromEntries(given)
  if (validator.check(values)) return { values, sources, problems }
  for (const { path, says } of schemaFaults(validator, values)) {
    const [setting = ''] = path
    if (pasted.has(setting)) continue
    problems.push({
      where: places.get(setting) ?? settingVariable(owner, setting),
      message: `${group}.${[owner, ...path].join('.')} ${says === 'this field is required' ? 'is required' : says}`,
      level: 'error',
    })
    given.delete(setting)
  }
  const rest: Record<string, unknown> = Object.fromEntries(given)
  return { values: validator.check(rest) ? rest : {}, sources, problems }
}

/** Keywords of settings whose defaults are valid or not without compiling the schema. */
const PLAIN = [
  'type',
  'properties',
  'description',
  'title',
  'default',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'x-says',
]

/**
 * The defaults of a schema, which are what a check of no settings gives. Null where only a check knows whether they are
 * valid. Compiling the schemas of all plugins would be a twentieth of the start.
 */
function plainDefaults(schema: TObject): Record<string, unknown> | null {
  if (!Object.keys(schema).every((name) => ['type', 'properties'].includes(name))) return null
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = keyword(property, 'default')
    if (value === undefined) continue
    if (!isPlainlyValid(property, value)) return null
    values[name] = value
  }
  return values
}

function isPlainlyValid(schema: object, value: unknown): boolean {
  const types = typesOf(schema)
  const listed = keyword(schema, 'enum')
  if (Array.isArray(listed) && !listed.includes(value)) return false
  if (value === null) return types.includes('null') && !('const' in schema)
  if (!Object.keys(schema).every((name) => PLAIN.includes(name))) return false
  if (typeof value === 'boolean') return types.includes('boolean')
  if (typeof value === 'string') {
    const pattern = keyword(schema, 'pattern')
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return false
    return types.includes('string') && isWithin(schema, [...value].length, ['minLength', 'maxLength'])
  }
  if (typeof value !== 'number' || !isWithin(schema, value, ['minimum', 'maximum'])) return false
  return types.includes('number') || (types.includes('integer') && Number.isInteger(value))
}

function isWithin(schema: object, size: number, [least, most]: readonly [string, string]): boolean {
  const [from, to] = [keyword(schema, least), keyword(schema, most)]
  return (typeof from !== 'number' || size >= from) && (typeof to !== 'number' || size <= to)
}

function keyword(schema: unknown, name: string): unknown {
  return typeof schema === 'object' && schema !== null ? new Map<string, unknown>(Object.entries(schema)).get(name) : undefined
}

function typesOf(schema: unknown): readonly unknown[] {
  const type = keyword(schema, 'type')
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  const union = keyword(schema, 'anyOf')
  return Array.isArray(union) ? union.flatMap(typesOf) : []
}

/** Parses a text as the schema's type; one that does not parse stays a text, which the schema refuses. */
function fromText(schema: unknown, text: string): unknown {
  const types = typesOf(schema)
  if (types.includes('array') && !text.trimStart().startsWith('[')) {
    const items = text.split(',').map((item) => item.trim())
    return items.filter((item) => item !== '').map((item) => fromPlain(keyword(schema, 'items'), item))
  }
  return types.includes('array') || types.includes('object') ? parsed(text) : fromPlain(schema, text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fromPlain(schema: unknown, text: string): unknown {
  const types = typesOf(schema)
  if (types.includes('integer') || types.includes('number')) return toNumber(text) ?? text
  if (types.includes('boolean')) return toBoolean(text) ?? text
  if (types.length > 0 || keyword(schema, 'enum') !== undefined) return text
  return toNumber(text) ?? (text === 'true' || text === 'false' ? text === 'true' : text)
}

function fromNode(schema: unknown, node: Located): unknown {
  if (node.kind === 'nothing') return null
  if (node.kind === 'list') return node.items.map((item) => fromNode(keyword(schema, 'items'), item))
  if (node.kind === 'text')
    return node.plain ? (typesOf(schema).includes('array') ? fromText(schema, node.text) : fromPlain(schema, node.text)) : node.text
  const properties = keyword(schema, 'properties')
  const rest = keyword(schema, 'additionalProperties')
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, fromNode(keyword(properties, key) ?? rest, value)]))
}

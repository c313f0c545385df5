import { defaultsOf, type SchemaCompiler, type TObject } from '../sdk/index.js'
import { schemaFaults } from '../problems/schema-faults/faults.js'
import { pasteFault, toBoolean, toNumber } from './convert.js'
import type { Located } from './located.js'
import type { ConfigProblem } from '../problems/errors.js'
import { settingVariable, type Variables } from './variables.js'

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
  readonly env: Variables
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
  const defaults = given.size === 0 && pasted.size === 0 ? unsetDefaults(schema) : null
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

/** The defaults of settings of which none is set, without compiling their schema; null where one has no default and is needed. */
function unsetDefaults(schema: TObject): Record<string, unknown> | null {
  const values = defaultsOf(schema)
  return (schema.required ?? []).every((name) => name in values) ? values : null
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

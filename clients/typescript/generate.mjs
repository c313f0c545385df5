/**
 * Writes src/generated.ts from the OpenAPI description of a gateway, which is a file or an address:
 * `node generate.mjs [openapi.json | http://127.0.0.1:8420/v1/openapi.json]`. A test compares the file with the description.
 */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Routes that the client has a method for, by their operation. */
const ROUTES = ['listKeys', 'createKey', 'rotateKey', 'deleteKey', 'getAccount', 'listCalls', 'getStats', 'estimate', 'chat', 'uploadFile']
/** Capabilities whose method has a name of its own. */
const NAMES = { 'emails.verify': 'verifyEmail', 'emails.find': 'findEmails' }

/** The source of the generated file. */
export function generated({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) => Object.values(item).map((operation) => ({ path, ...operation })))
  const capabilities = operations
    .filter((operation) => operation['x-deadline-seconds'] !== undefined)
    .map((operation) => capability(operation))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const routes = ROUTES.map((id) => route(id, operations.find(({ operationId }) => operationId === id)))
  return [
    '// Written by generate.mjs from the OpenAPI description of the gateway; do not edit.',
    "import type { FileInput } from './files.js'",
    "import type { CapabilityId, Data, Params, Result } from './result.js'",
    "import type { RequestOptions } from './transport.js'",
    '',
    '/** What is known of every answer of a capability. */',
    `export interface Metadata ${typeOf(capabilities[0].metadata)}`,
    '',
    '/** Parameters and results of capabilities, by their ids. */',
    'export interface Capabilities {',
    ...capabilities.flatMap(({ id, input, output }) => [
      `  ${named(id)}: {`,
      `    params: ${typeOf(input, { indent: '    ', docs: true, files: true })}`,
      `    data: ${typeOf(output, { indent: '    ' })}`,
      '  }',
    ]),
    '}',
    '',
    '/** Parameters and answers of routes that are no capabilities, by their operations. */',
    'export interface Routes {',
    ...routes,
    '}',
    '',
    '/** Path and deadline in seconds of each capability; a third figure is the default of its parameter `timeout`, which is then added. */',
    'export const KNOWN: Readonly<Record<string, readonly [path: string, seconds: number, standard?: number]>> = {',
    ...capabilities.map(({ id, path, deadline }) => `  ${named(id)}: [${[`'${path}'`, ...deadline].join(', ')}],`),
    '}',
    '',
    'type Method<K extends CapabilityId> = (params: Params<K>, options?: RequestOptions) => Promise<Result<Data<K>>>',
    '',
    '/** A method for each capability. */',
    'export abstract class Methods {',
    ...methods(capabilities),
    '',
    '  abstract run<K extends CapabilityId>(capability: K, params: Params<K>, options?: RequestOptions): Promise<Result<Data<K>>>',
    '',
    '  #of<K extends CapabilityId>(capability: K): Method<K> {',
    '    return (params, options) => this.run(capability, params, options)',
    '  }',
    '}',
    '',
  ].join('\n')
}

function capability(operation) {
  const { path, operationId, summary, description, requestBody, responses } = operation
  const input = requestBody.content['application/json'].schema
  const { data, metadata } = responses['200'].content['application/json'].schema.properties
  const id = path.slice('/v1/'.length).replaceAll('/', '.').replaceAll('-', '_')
  if (id.replaceAll('.', '_') !== operationId) throw new Error(`${path}: its id cannot be told from its path and ${operationId}`)
  const price = /Costs [^.]*(?:\.\d[^.]*)*\.$/.exec(description)?.[0] ?? ''
  return { id, path, summary: `${summary}. ${price}`, input, output: data, metadata, deadline: deadlineOf(operation, input) }
}

/** Seconds, and where the deadline grows with the parameter `timeout` what is added to it, and its default. */
function deadlineOf(operation, { properties }) {
  const said = operation['x-deadline-seconds']
  if (typeof said === 'number') return [said]
  const most = Number(/at most (\d+)$/.exec(said)?.[1])
  if (Number.isNaN(most)) throw new Error(`${operation.path}: its deadline ends in no figure: ${said}`)
  const { maximum, default: standard } = properties.timeout ?? {}
  return /^timeout \+ /.test(said) && maximum !== undefined && standard !== undefined ? [most - maximum, standard] : [most]
}

function methods(capabilities) {
  const spaces = new Map()
  for (const { id, summary } of capabilities) {
    const [space, name] = NAMES[id] === undefined ? id.split('.').map(camelCase) : [NAMES[id]]
    const of = `this.#of('${id}')`
    const doc = `/** ${summary} */`
    if (name === undefined) spaces.set(space, [`  ${doc}`, `  readonly ${space}: Method<'${id}'> = ${of}`])
    else spaces.set(space, [...(spaces.get(space) ?? []), { doc, name, type: `Method<'${id}'>`, of }])
  }
  return [...spaces].flatMap(([space, entries]) => {
    if (typeof entries[0] === 'string') return entries
    const types = entries.flatMap(({ doc, name, type }) => [`    ${doc}`, `    readonly ${name}: ${type}`])
    return [`  readonly ${space}: {`, ...types, `  } = { ${entries.map(({ name, of }) => `${name}: ${of}`).join(', ')} }`]
  })
}

function route(id, operation) {
  if (operation === undefined) throw new Error(`the description has no operation ${id}`)
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const asked = {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.flatMap(({ name, required }) => (required ? [name] : [])),
  }
  const answer = responseOf(operation)
  const typed = { indent: '    ', docs: true }
  return [
    `  ${id}: {`,
    ...(query.length === 0 ? [] : [`    query: ${typeOf(asked, typed)}`]),
    ...(body === undefined || id === 'uploadFile' ? [] : [`    body: ${typeOf(body, typed)}`]),
    `    result: ${typeOf(answer, { indent: '    ' })}`,
    '  }',
  ].join('\n')
}

/** The schema of the answer; of an envelope only what is not the same in all. */
function responseOf({ responses }) {
  const schema = responses['200'].content['application/json'].schema
  const { data, metadata } = schema.properties ?? {}
  return metadata === undefined ? schema : { type: 'object', properties: { data }, required: ['data'] }
}

/** The TypeScript type of a JSON schema. With `docs` the fields of objects are described; with `files` those that are uploaded take files. */
function typeOf(schema, { indent = '', docs = false, files = false } = {}) {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => literal(value)).join(' | ')
  const several = schema.anyOf ?? schema.oneOf ?? (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined)
  if (several !== undefined) return [...new Set(several.map((one) => typeOf(one, { indent, docs, files })))].join(' | ')
  switch (schema.type) {
    case 'null':
    case 'string':
    case 'boolean':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array': {
      const { items = {} } = schema
      const item = typeOf(items, { indent, docs })
      return items.enum ?? items.anyOf ?? items.oneOf ?? Array.isArray(items.type) ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      return objectType(schema, { indent, docs, files })
    default:
      return 'unknown'
  }
}

function objectType(schema, { indent, docs, files }) {
  const fields = Object.entries(schema.properties ?? {})
  const others = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
  if (fields.length === 0) return `Record<string, ${typeof others === 'object' ? typeOf(others, { indent }) : 'unknown'}>`
  const inner = `${indent}  `
  const lines = fields.flatMap(([name, field]) => {
    const type = typeOf(field, { indent: inner, docs })
    const optional = (schema.required ?? []).includes(name) ? '' : '?'
    const isFile = files && name.endsWith('_url')
    return [...(docs ? docOf(field, inner) : []), `${inner}${named(name)}${optional}: ${isFile ? type.replace('string', 'FileInput') : type}`]
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

function docOf({ description = '', default: standard }, indent) {
  const said = standard === undefined || standard === null ? [] : [`Default ${JSON.stringify(standard)}.`]
  const text = [description, ...said].join(' ').replace(/\s+/g, ' ').replaceAll('*/', '*\\/').trim()
  return text === '' ? [] : [`${indent}/** ${text} */`]
}

function literal(value) {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
}

function named(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : literal(name)
}

/** `remove_background` as `removeBackground`. */
function camelCase(name) {
  return name.replace(/_(.)/g, (_all, letter) => letter.toUpperCase())
}

async function descriptionAt(place) {
  if (!/^https?:/.test(place)) return JSON.parse(readFileSync(place, 'utf8'))
  const response = await fetch(place)
  if (!response.ok) throw new Error(`${place} answered ${response.status}`)
  return await response.json()
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const place = process.argv[2] ?? `${process.env.CAPSTAN_URL ?? 'http://127.0.0.1:8420'}/v1/openapi.json`
  writeFileSync(new URL('src/generated.ts', import.meta.url), generated(await descriptionAt(place)))
}

/**
 * Writes src/generated.ts from the OpenAPI description of a gateway, which is a file or an address:
 * `node generate.mjs [openapi.json | http://127.0.0.1:8420/v1/openapi.json]`. A test compares the file with the description.
 */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Routes that the client has a method for, by their operation. */
const ROUTES = ['listKeys', 'createKey', 'rotateKey', 'deleteKey', 'getAccount', 'listCalls', 'getStats', 'estimate', 'chat', 'uploadFile']
/** Types of objects that are used several times get a name when they are this long. */
const NAMED_FROM = 60

/** The source of the generated file. */
export function generated({ paths }) {
  const operations = Object.entries(paths).flatMap(([path, item]) => Object.values(item).map((operation) => ({ path, ...operation })))
  const capabilities = operations
    .filter((operation) => operation['x-deadline-seconds'] !== undefined)
    .map((operation) => capability(operation))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const routes = ROUTES.map((id) =>
    route(
      id,
      operations.find(({ operationId }) => operationId === id),
    ),
  )
  return [
    '// Written by generate.mjs from the OpenAPI description of the gateway; do not edit.',
    "import type { FileInput } from './files.js'",
    '',
    ...withNames([
      '/** What is known of every answer of a capability. */',
      `export interface Metadata ${typeOf(capabilities[0].metadata)}`,
      '',
      '/** Parameters and results of capabilities, by their ids. */',
      'export interface Capabilities {',
      ...capabilities.flatMap(({ id, input, output }) => [
        `  ${named(id)}: {`,
        `    params: ${typeOf(input, { indent: '    ', files: true })}`,
        `    data: ${typeOf(output, { indent: '    ' })}`,
        '  }',
      ]),
      '}',
      '',
      '/** Parameters and answers of routes that are no capabilities, by their operations. */',
      'export interface Routes {',
      ...routes,
      '}',
    ]),
    '',
    '/** Seconds until the deadline of each capability; of two figures the second is the default of its parameter `timeout`, which is added. @internal */',
    'export const DEADLINES: Readonly<Record<string, readonly [seconds: number, standard?: number]>> = {',
    ...capabilities.map(({ id, deadline }) => `  ${named(id)}: [${deadline.join(', ')}],`),
    '}',
    '',
  ].join('\n')
}

/** The lines, with a name in the place of each object type that is there several times, and their declarations before them. */
function withNames(lines) {
  let text = lines.join('\n')
  const declarations = []
  for (;;) {
    const found = new Map()
    for (const [name, type] of objectTypes([...declarations, text].join('\n'))) {
      const key = type.replace(/\s+/g, ' ')
      found.set(key, [...(found.get(key) ?? []), { name, type }])
    }
    const [repeated] = [...found.values()]
      .filter((uses) => uses.length > 1 && uses[0].type.length >= NAMED_FROM)
      .sort((a, b) => b[0].type.length - a[0].type.length)
    if (repeated === undefined) return [...declarations.flatMap((one) => [one, '']), text]
    const name = typeName(repeated[0].name, declarations)
    const replaced = (all) => repeated.reduce((rest, { type }) => rest.replaceAll(type, name), all)
    declarations.splice(0, declarations.length, ...declarations.map(replaced))
    text = replaced(text)
    declarations.push(
      `interface ${name} ${repeated[0].type.replace(/\n {2,}(?=\S)/g, (space) => `\n${space.slice(1 + margin(repeated[0].type))}`)}`,
    )
  }
}

/** Fields whose type is an object, with the text of the type. */
function* objectTypes(text) {
  for (const match of text.matchAll(/(\w+)'?\??: (\{)/g)) {
    let [depth, end] = [0, match.index + match[0].length - 1]
    do {
      depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0
      end++
    } while (depth > 0)
    yield [match[1], text.slice(match.index + match[0].length - 1, end)]
  }
}

function margin(type) {
  return /\n( *)\}$/.exec(type)[1].length
}

/** `domain_prices` as `DomainPricesObject`; with a number where that is taken. */
function typeName(field, declarations) {
  const base = `${camelCase(`_${field}`)}Object`
  const taken = (name) => declarations.some((one) => one.startsWith(`interface ${name} `))
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`
    if (!taken(name)) return name
  }
}

function capability(operation) {
  const { path, operationId, requestBody, responses } = operation
  const input = requestBody.content['application/json'].schema
  const { data, metadata } = responses['200'].content['application/json'].schema.properties
  const id = path.slice('/v1/'.length).replaceAll('/', '.').replaceAll('-', '_')
  // The client makes the path of the id.
  if (id.replaceAll('.', '_') !== operationId) throw new Error(`${path}: its id does not follow from its path and ${operationId}`)
  return { id, input, output: data, metadata, deadline: deadlineOf(operation, input) }
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

function route(id, operation) {
  if (operation === undefined) throw new Error(`the description has no operation ${id}`)
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  const queryType = {
    type: 'object',
    properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])),
    required: query.flatMap(({ name, required }) => (required ? [name] : [])),
  }
  const indent = '    '
  return [
    `  ${id}: {`,
    ...(query.length === 0 ? [] : [`    query: ${typeOf(queryType, { indent })}`]),
    ...(body === undefined || id === 'uploadFile' ? [] : [`    body: ${typeOf(body, { indent })}`]),
    `    result: ${typeOf(responseOf(operation), { indent })}`,
    '  }',
  ].join('\n')
}

/** The schema of the answer; of an envelope only what is not the same in all. */
function responseOf({ responses }) {
  const schema = responses['200'].content['application/json'].schema
  const { data, metadata } = schema.properties ?? {}
  return metadata === undefined ? schema : { type: 'object', properties: { data }, required: ['data'] }
}

/** The TypeScript type of a JSON schema. With `files` fields that are uploaded take files. Descriptions are left out: the package is small. */
function typeOf(schema, { indent = '', files = false } = {}) {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => literal(value)).join(' | ')
  const several =
    schema.anyOf ?? schema.oneOf ?? (Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined)
  if (several !== undefined) return [...new Set(several.map((one) => typeOf(one, { indent, files })))].join(' | ')
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
      const item = typeOf(items, { indent })
      return (items.enum ?? items.anyOf ?? items.oneOf ?? Array.isArray(items.type)) ? `(${item})[]` : `${item}[]`
    }
    case 'object':
      return objectType(schema, { indent, files })
    default:
      return 'unknown'
  }
}

function objectType(schema, { indent, files }) {
  const fields = Object.entries(schema.properties ?? {})
  const others = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties
  if (fields.length === 0) return `Record<string, ${typeof others === 'object' ? typeOf(others, { indent }) : 'unknown'}>`
  const inner = `${indent}  `
  const lines = fields.map(([name, field]) => {
    const type = typeOf(field, { indent: inner })
    const optional = (schema.required ?? []).includes(name) ? '' : '?'
    const isFile = files && name.endsWith('_url')
    return `${inner}${named(name)}${optional}: ${isFile ? type.replace('string', 'FileInput') : type}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
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

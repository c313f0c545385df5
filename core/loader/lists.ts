import type { Capability, DeclaredList, SchemaCompiler } from '../sdk/index.js'
import { isRecord } from '../sdk/record.js'
import { listPathFault } from './names.js'
import { messageOf } from './plugin-error.js'
import { closedInput } from './strict-schema.js'
import { listTextFault } from './text-rules.js'
import type { LoadedList } from './types.js'

/** Compiles the lists of a capability. Throws an Error with the fault and what to change. */
export function compiledLists(compiler: SchemaCompiler, capability: Capability): LoadedList[] {
  return Object.entries(capability.lists ?? {}).map(([name, list]) => compiled(compiler, capability, { name, list }))
}

function compiled(compiler: SchemaCompiler, capability: Capability, { name, list }: { name: string; list: DeclaredList }): LoadedList {
  const where = `the list "${name}" of ${capability.id}`
  // A plugin in JavaScript may pass any value.
  const given: unknown = list
  if (!isRecord(given) || typeof given.read !== 'function' || !isRecord(given.response) || !isRecord(given.query))
    throw new Error(`${where} is not made by list({ title, description, response, read })`)
  const path = list.path ?? `${capability.path}/${name}`
  const fault = listPathFault(capability, name, path) ?? listTextFault(where, list) ?? queryFault(where, list)
  if (fault !== null) throw new Error(fault)
  try {
    return { name, path, list, query: compiler.compile(closedInput(list.query)), response: compiler.compile(list.response) }
  } catch (error) {
    throw new Error(`a schema of ${where} does not compile: ${messageOf(error)}`, { cause: error })
  }
}

/** A query string cannot represent a list or an object. */
function queryFault(where: string, { query }: DeclaredList): string | null {
  for (const [field, property] of Object.entries(query.properties)) {
    const type: unknown = isRecord(property) ? property.type : undefined
    if (type === 'array' || type === 'object') return `the query field "${field}" of ${where} is not a text, number or boolean`
  }
  return null
}

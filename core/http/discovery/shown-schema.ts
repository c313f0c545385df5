import { WORDS } from '../../sdk/index.js'

/** A schema for callers: without the keyword for messages, which some frameworks refuse. */
export function shownSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shownSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => (name === WORDS ? [] : [[name, shownSchema(value)]])))
}

import { WORDS } from '../../sdk/index.js'

/** A schema as callers see it: without the words that are only for messages, which some frameworks would refuse. */
export function shownSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shownSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => (name === WORDS ? [] : [[name, shownSchema(value)]])))
}

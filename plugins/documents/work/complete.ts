import { isRecord } from '../../../core/sdk/json.js'
import type { Place, SchemaPlaces } from './schema-places.js'

type Fields = Readonly<Record<string, unknown>>

/**
 * An object with null for absent properties; if the schema does not allow null, with an empty list or without the
 * property.
 */
export function completed(record: Fields, places: SchemaPlaces): Record<string, unknown> {
  return completedAt(record, places.top(), places)
}

/** True when a value contains anything but null and empty lists. */
export function hasValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasValue)
  return isRecord(value) ? Object.values(value).some(hasValue) : value !== null && value !== undefined
}

function completedAt(record: Fields, place: Place, places: SchemaPlaces): Record<string, unknown> {
  const given = new Map(Object.entries(record))
  return Object.fromEntries(
    [...new Set([...places.names(place), ...given.keys()])].flatMap((name) => {
      const inner = places.property(place, name)?.place
      const value = completedValue(given.get(name) ?? null, inner, places)
      if (value !== null || inner === undefined || places.allowsNull(inner)) return [[name, value] as const]
      return places.isList(inner) ? [[name, []] as const] : []
    }),
  )
}

function completedValue(value: unknown, place: Place | undefined, places: SchemaPlaces): unknown {
  if (place === undefined) return value
  if (Array.isArray(value)) return value.map((item, index) => completedValue(item, places.item(place, index), places))
  return isRecord(value) ? completedAt(value, place, places) : value
}

import { says } from './says.js'

/** The first value per field that says something, in the order given: null, undefined, empty strings and empty lists give way. */
export function mergeFields<T extends object>(records: readonly T[]): Partial<T> {
  const merged: Partial<T> = {}
  for (const record of records) {
    for (const key of Object.keys(record) as (keyof T)[]) {
      if (merged[key] === undefined || (!says(merged[key]) && says(record[key]))) merged[key] = record[key]
    }
  }
  return merged
}

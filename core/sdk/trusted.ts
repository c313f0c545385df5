/**
 * Casts a value to its documented type without a check: a row to what its query selects, arguments that the compiler
 * checked at the call of the command. Not for values from outside this process, or that another version may have
 * written.
 */
export function trusted<T>(value: unknown): T {
  return value as T
}

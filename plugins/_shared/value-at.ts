/**
 * The value at a path of untyped data, such as a vendor's reply; a number (also as text) indexes a list. Undefined
 * when absent. Constant time for values of any size.
 */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    return Array.isArray(inner) && !/^\d+$/.test(String(key)) ? undefined : Reflect.get(inner, key)
  }, value)
}

/** The list at a path; empty when absent. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The strings of a list, in order; empty for anything else. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : []
}

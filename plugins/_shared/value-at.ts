/**
 * What is at a path of a value whose shape nobody promises, such as the reply of a vendor; a number, also as text, is a place in a list.
 * Undefined where there is nothing. It takes the same time for values of any size.
 */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    return Array.isArray(inner) && !/^\d+$/.test(String(key)) ? undefined : Reflect.get(inner, key)
  }, value)
}

/** A list at a path, empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The texts of a list, in their order; none of anything else. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === 'string') : []
}

/**
 * Freezes and returns a value with all arrays and plain data in it, so that no handler or provider changes the input of
 * the next. Writing to it throws a TypeError in strict code. Bytes cannot be frozen. Any depth, without recursion.
 */
export function deepFreeze(value: unknown): unknown {
  const open: unknown[] = [value]
  while (open.length > 0) {
    const part = open.pop()
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part) || Object.isFrozen(part)) continue
    Object.freeze(part)
    const inner: unknown[] = Object.values(part)
    for (const each of inner) if (typeof each === 'object') open.push(each)
  }
  return value
}

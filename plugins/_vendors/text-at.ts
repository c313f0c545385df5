/** The text (or number, as text) at a path of a reply whose shape nobody promises, or an empty string. Takes the same time for replies of any size. */
export function textAt(body: unknown, ...path: readonly string[]): string {
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key) ? Reflect.get(inner, key) : undefined),
    body,
  )
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

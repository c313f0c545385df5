/** A value that is made at its first use and kept: for what takes memory although only some calls need it. */
export function atFirstUse<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

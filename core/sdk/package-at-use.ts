import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package that is loaded at its first use, also by code that cannot wait. `T`: `typeof import('yaml')`. */
export function packageAtUse<T>(name: string): () => T {
  return () => require(name) as T
}

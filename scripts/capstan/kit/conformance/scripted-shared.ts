import { answerOf, type Cache, type CacheOptions, type Caps, type SchemaCompiler, type TSchema } from '../../../../core/sdk/index.js'

/** An empty cache: each value is loaded, checked, and returned as a cache would return it. */
export function emptyCache<Context>(compiler: SchemaCompiler, context: () => Context): Cache<Context> {
  return {
    get: async <S extends TSchema>(_key: unknown, { shape }: CacheOptions<S>, load: (context: Context) => Promise<unknown>) => {
      const value: unknown = structuredClone(await load(context()))
      const validator = compiler.compile(shape)
      if (!validator.check(value)) throw new TypeError(`ctx.cache: a value does not fit its shape: ${validator.explain()}`)
      return answerOf(value)
    },
  }
}

/** Unused caps. */
export function freshCaps(now: () => number): Caps {
  const state = (most: number, left: number) => ({ most, left, resets_at: new Date(now()).toISOString() })
  return {
    take: (_name, { most }, amount = 1) =>
      Promise.resolve({ ...state(most, Math.max(0, most - amount)), giveBack: () => Promise.resolve() }),
    left: (_name, { most }) => Promise.resolve(state(most, most)),
  }
}

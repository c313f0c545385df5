import { answerOf, type Cache, type CacheOptions, type Caps, type SchemaCompiler, type TSchema } from '../../../../core/sdk/index.js'

/** A cache that has nothing: each value is loaded, checked, and given as it would come out of a cache. */
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

/** Caps of which nothing was taken yet. */
export function freshCaps(now: () => number): Caps {
  const state = (most: number, left: number) => ({ most, left, resets_at: new Date(now()).toISOString() })
  return {
    take: (_name, { most }, amount = 1) =>
      Promise.resolve({ ...state(most, Math.max(0, most - amount)), giveBack: () => Promise.resolve() }),
    left: (_name, { most }) => Promise.resolve(state(most, most)),
  }
}

/** What reads a text that a pattern alone cannot judge. */
export type FormKind = 'host' | 'url' | 'origin' | 'network' | 'allowed' | 'resolver' | 'service' | 'store' | 'redis' | 'artifacts'

/** One setting: what it is called, what it may be, and what it is when nobody sets it. */
export interface Definition {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'duration' | 'bytes' | 'list' | 'enum' | 'lists'
  /** In the setting's own unit; null for none. */
  readonly default: string | number | boolean | null | readonly string[] | Readonly<Record<string, readonly string[]>>
  /** Null: the file alone can set it. */
  readonly variable: string | null
  readonly about: string
  /** Key in `Settings` where it is not the name. */
  readonly as?: string
  readonly values?: readonly string[]
  readonly min?: number
  readonly max?: number
  /** What a text, or each item of a list, must look like, and that in words. */
  readonly form?: { readonly pattern: RegExp; readonly says: string; readonly kind?: FormKind }
  /** Between the items of a list written as one text; a comma unless given. */
  readonly separator?: RegExp
  /** A path, alone or behind `sqlite:` or `file:`; relative ones are resolved. */
  readonly path?: true
  /** Items may be names of npm packages too. */
  readonly packages?: true
  /** An address that others are put behind: slashes at its end are dropped. */
  readonly base?: true
  /** Never shown. */
  readonly secret?: true
  /** What an absent value means, for the table. */
  readonly absent?: string
}

type Definitions = Readonly<Record<string, Definition>>
type Value<D> = D extends { type: 'integer' | 'number' | 'duration' | 'bytes' }
  ? number
  : D extends { type: 'boolean' }
    ? boolean
    : D extends { type: 'list' }
      ? readonly string[]
      : D extends { type: 'lists' }
        ? Readonly<Record<string, readonly string[]>>
        : D extends { values: readonly (infer V)[] }
          ? V
          : string
type Key<D extends Definitions, N extends keyof D> = D[N] extends { as: infer A extends string } ? A : N
type Flat<D extends Definitions> = {
  readonly [N in keyof D as Key<D, N>]: D[N] extends { default: null } ? Value<D[N]> | null : Value<D[N]>
}
type Group<K> = K extends `${infer G}.${string}` ? G : never
type Grouped<F> = { readonly [K in keyof F as K extends `${string}.${string}` ? never : K]: F[K] } & {
  readonly [G in Group<keyof F>]: { readonly [K in keyof F as K extends `${G}.${infer R}` ? R : never]: F[K] }
}

/** The values that definitions describe, by group: durations in seconds, sizes in bytes, paths absolute. */
export type SettingsOf<D extends Definitions> = Grouped<Flat<D>>

/** A present value. */
type There<T> = Exclude<T, null | undefined>
/** Deeper paths are not followed. */
type Deepest = 5
type Item<L> = There<L> extends readonly (infer E)[] ? E : never
/** Whether every value of a type is an object with its own fields; lists do not count. */
type HasFields<T> = [T] extends [never] ? false : [T] extends [readonly unknown[]] ? false : [T] extends [object] ? true : false
type IsList<T> = [T] extends [never] ? false : [T] extends [readonly unknown[]] ? true : false
type Inner<K extends string, T, Depth extends 0[]> = HasFields<T> extends true ? `${K}.${FieldPath<T, [...Depth, 0]>}` : never

/** The fields of a record, nested ones by dot path: `name`, `address`, `address.city`. */
export type FieldPath<T, Depth extends 0[] = []> = Depth['length'] extends Deepest
  ? string
  : { [K in keyof There<T> & string]: K | Inner<K, There<There<T>[K]>, Depth> }[keyof There<T> & string]

type ListsIn<K extends string, T, Depth extends 0[]> =
  IsList<T> extends true
    ? K | (HasFields<There<Item<T>>> extends true ? `${K}.${ListPath<Item<T>, [...Depth, 0]>}` : never)
    : HasFields<T> extends true
      ? `${K}.${ListPath<T, [...Depth, 0]>}`
      : never

/** The lists of a record by dot path, including those of nested objects and items: `jobs`, `contact.emails`, `jobs.titles`. */
export type ListPath<T, Depth extends 0[] = []> = Depth['length'] extends Deepest
  ? never
  : { [K in keyof There<T> & string]: ListsIn<K, There<There<T>[K]>, Depth> }[keyof There<T> & string]

type Within<T> = IsList<There<T>> extends true ? There<Item<T>> : There<T>

/** The type of the items of the list at a path. */
export type ItemAt<T, P extends string> = P extends `${infer K}.${infer Rest}`
  ? K extends keyof There<T>
    ? ItemAt<Within<There<T>[K]>, Rest>
    : never
  : P extends keyof There<T>
    ? Item<There<T>[P]>
    : never

/** The key of a list's items: one field, several together, or a function of the item. */
export type ListKey<E> =
  | ((item: E) => unknown)
  | (HasFields<There<E>> extends true
      ? (keyof There<E> & string) | readonly [keyof There<E> & string, ...(keyof There<E> & string)[]]
      : never)

/** How the answers of several vendors are merged. */
export interface MergeSpec<T> {
  /** For each list by dot path, the key of its items; items of other lists are the same when they are equal. */
  readonly lists?: { readonly [P in ListPath<T>]?: ListKey<ItemAt<T, P>> }
  /** Fields taken as a whole from one vendor, such as an amount with its currency. */
  readonly whole?: readonly FieldPath<T>[]
}

/** A field for which vendors returned different values; the first value was taken. */
export interface Disagreement {
  /** Its dot path; a list item is in brackets after the list: `jobs[acme].title`. */
  readonly field: string
  /** The value of each vendor that returned one, in order. */
  readonly values: readonly { readonly provider: string; readonly value: unknown }[]
}

/** Several answers merged into one. */
export interface Merged<T> {
  readonly data: T
  /** The vendor of each field with a value; for a list, every vendor that contributed to it. */
  readonly sources: { readonly [P in FieldPath<T>]?: readonly string[] }
  readonly disagreements: readonly Disagreement[]
}

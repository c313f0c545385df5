import type { HandlerContext } from './handler-context.js'
import { Type, type Static, type TObject, type TSchema } from './schema.js'

/** What reading a list may use: only services without cost. */
export interface ListContext<Q = unknown, S = unknown> extends Pick<
  HandlerContext<S>,
  'settings' | 'has' | 'providers' | 'use' | 'log' | 'signal'
> {
  /** Checked against the list's query schema, defaults filled in. */
  readonly query: Q
}

/** The description of a list, for people and for OpenAPI. */
interface ListText {
  /** At most 80 characters. */
  readonly title: string
  /** At most 900 characters. */
  readonly description: string
  /** Its path, if it is not below the capability's path; it begins with the same segment after `/v1`. */
  readonly path?: string
}

/** A list as a capability declares it; made by `list`. */
export interface DeclaredList extends ListText {
  readonly response: TSchema
  readonly query: TObject
  readonly settings?: TObject
  readonly read: (context: ListContext<never, never>) => unknown
}

/**
 * A list that callers can read free of charge beside a capability: `lists: { formats: list({ … }) }` is served at `GET
 * <path>/formats` to keys that may call the capability. `read` has five seconds; an `invalid` Fault of it is about the
 * query. `settings` as for `handle`.
 */
export function list<
  R extends TSchema,
  Q extends TObject = TObject<Record<never, never>>,
  P extends TObject = TObject<Record<never, never>>,
>(
  definition: ListText & {
    readonly response: R
    /** Fields are text, numbers or booleans, each with a description. */
    readonly query?: Q
    readonly settings?: P
    readonly read: (context: ListContext<Static<Q>, Static<P>>) => Static<R> | Promise<Static<R>>
  },
): DeclaredList {
  return { query: Type.Object({}), ...definition }
}

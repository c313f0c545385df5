import type { Given, TObject, TSchema } from './schema.js'

/** An operation that vendors serve: an id with an input and an output schema. */
export interface Port<I extends TObject = TObject, O extends TSchema = TSchema> {
  /** Words separated by dots, unique over all plugins, for example `search.serp`. */
  readonly id: string
  readonly input: I
  readonly output: O
  /** Acts on the world (sends, buys): never repeated while the outcome is unknown, which ends the waterfall. */
  readonly once?: true
}

/** A violated rule over several fields that a schema cannot express; `loc` names the field to change or add. */
export interface Violation {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type?: string
}

/** A live vendor of a port. */
export interface LiveProvider<I extends TObject = TObject> {
  /** The vendor's id, as in `only`. */
  readonly id: string
  readonly title: string
  /** Whether it is suspended now: a call with `only` is then a `busy` Fault with the remaining time. */
  readonly suspended: boolean
  /** The vendor's position among the live ones of the waterfall, from 0. */
  readonly order: number
  /** Whether the vendor serves this input. Throws a `broken` Fault for an input that does not fit the port. */
  readonly serves: (input: Given<I>) => boolean
}

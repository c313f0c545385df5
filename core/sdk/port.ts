import type { Given, TObject, TSchema } from './schema.js'

/** A typed question that vendors answer: an id with an input and an output schema. */
export interface Port<I extends TObject = TObject, O extends TSchema = TSchema> {
  /** Dotted words, unique over all plugins, for example `search.serp`. */
  readonly id: string
  readonly input: I
  readonly output: O
  /** Acts on the world (sends, buys): never repeated blindly, and the waterfall stops when the outcome is unknown. */
  readonly once?: true
}

/** A rule over several fields that a schema cannot state; `loc` names the field to change or add. */
export interface Violation {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type?: string
}

/** A live vendor of a port. */
export interface LiveProvider<I extends TObject = TObject> {
  /** The vendor's id, as `only` takes it. */
  readonly id: string
  readonly title: string
  /** It is suspended now. Asking it by `only` notes it as skipped and throws a `busy` Fault with the time that is left. */
  readonly suspended: boolean
  /** The vendor's place among the live ones of the waterfall, from 0. */
  readonly order: number
  /** Whether the vendor serves this input. Throws a `broken` Fault for one that the port does not take. */
  readonly serves: (input: Given<I>) => boolean
}

import type { TObject, TSchema } from './schema.js'

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

import type { Static, TObject, TSchema } from './schema.js'
import type { DeclaredList } from './list.js'
import type { Price } from './price.js'
import type { Port, Violation } from './port.js'

/** One worked example of a capability, for tools, llms.txt, documentation and intent matching. */
export interface Example {
  readonly title: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A kind of work within a capability that vendors of its own may serve, such as one language of several. */
export interface WorkPart {
  /** As it stands in a sentence such as "JavaScript only". */
  readonly title: string
  /** An ordinary input of this kind, as callers give it. */
  readonly params: Readonly<Record<string, unknown>>
  /** An ordinary input of the capability's vendors for it, where they are asked something else than callers ask. */
  readonly asked?: Readonly<Record<string, unknown>>
}

/** Work of one class shares the same slots: light work is not queued behind browsers and converters. */
export type WorkClass = 'light' | 'browser' | 'code' | 'media'

/** A port with a public face: a path, a price and a deadline. Without a handler it is its own waterfall. */
export interface Capability<I extends TObject = TObject, O extends TSchema = TSchema> extends Port<I, O> {
  /** Public path, for example `/v1/search`. */
  readonly path: string
  readonly title: string
  /** What it does, for people and for models choosing a tool; at most 900 characters. */
  readonly description: string
  readonly price: Price<Static<I>>
  readonly examples: readonly Example[]
  /** Other names accepted by `/v1/agent`. */
  readonly aliases?: readonly string[]
  /** The whole call's limit in milliseconds, default 30,000. */
  readonly timeoutMs?: number | ((input: Static<I>) => number)
  /** The input field reported as `metadata.mode_used`, default `mode`. */
  readonly mode?: string
  /** The word for `provider_used` when several vendors contributed, default `merged`. */
  readonly many?: string
  /** Product catalogues that list it beside `agent`, for example `browser`. */
  readonly products?: readonly string[]
  /** Whose queue its calls wait in, default `light`; `plugin test` wants it named. */
  readonly work?: WorkClass
  /** Largest request body in bytes, default 1 MiB. */
  readonly bodyLimit?: number
  /**
   * What the handler asks the capability's vendors when that is not the input callers give: a port of the same id, for example with a file that
   * the handler fetched once for all of them. Providers serve it; fixtures, waterfall and suspension go by the id as ever.
   */
  readonly vendors?: Port
  /** Ports a handler is made of: the capability is live when one of them has a live provider. */
  readonly uses?: readonly Port[]
  /**
   * Kinds of work that different vendors serve, the one that its defaults mean first. Where some of them cannot be served now, the capability is live
   * within limits that name the others. Left out, each word of `mode` is one.
   */
  readonly parts?: readonly WorkPart[]
  /** Parameters that name the format of a file, by the parameter with its address: `capstan run` fills them in by the file's name and bytes. */
  readonly formatOf?: Readonly<Record<string, string>>
  /** Ports without which this input cannot be served; asked before any credit is held. */
  readonly requires?: (input: Static<I>) => readonly Port[]
  /**
   * The same input in the one form that price, mode, rules and handler read, for example a list that may be given as one string (`listed`). Called
   * after the schema's check with defaults filled in; must change nothing when called twice.
   */
  readonly normalise?: (input: Static<I>) => Static<I>
  /** Rules over several fields; all violations are reported at once as a validation error. */
  readonly check?: (input: Static<I>) => readonly Violation[]
  /** What callers may read beside it with GET, by the last word of its path; made by `list`. */
  readonly lists?: Readonly<Record<string, DeclaredList>>
}

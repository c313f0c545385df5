import type { Static, TObject, TSchema } from './schema.js'
import type { DeclaredList } from './list.js'
import type { Price } from './price.js'
import type { Port, Violation } from './port.js'

/** One worked example of a capability, for tools, llms.txt, documentation and intent matching. */
export interface Example {
  readonly title: string
  readonly params: Readonly<Record<string, unknown>>
}

/** Example requests in everyday words, and the input each means. See `plugins/playground/README.md`. */
export interface Phrase {
  readonly say: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** A kind of work within a capability that vendors of its own may serve, such as one language of several. */
export interface WorkPart {
  /** As used in a sentence such as "JavaScript only". */
  readonly title: string
  /** A typical input of this kind, as callers send it. */
  readonly params: Readonly<Record<string, unknown>>
  /** A typical input of the capability's vendors for it, where that differs from the input of callers. */
  readonly vendorInput?: Readonly<Record<string, unknown>>
}

/** Work of one class shares the same slots: light work is not queued behind browsers and converters. */
export type WorkClass = 'light' | 'browser' | 'code' | 'media'

/** Names and figures that a capability finds in an input. */
export type InputDetails = Readonly<Record<string, string | number>>

/** A port that callers can use: it has a path, a price and a deadline. Without a handler it is its own waterfall. */
export interface Capability<I extends TObject = TObject, O extends TSchema = TSchema> extends Port<I, O> {
  /** Public path, for example `/v1/search`. */
  readonly path: string
  readonly title: string
  /** What it does, for people and for models that choose a tool; at most 900 characters. */
  readonly description: string
  readonly price: Price<Static<I>>
  /** The input whose price, if lower, a result costs that lacks a part of what was paid for. */
  readonly charged?: (input: Static<I>, output: Static<O>) => Static<I>
  readonly examples: readonly Example[]
  /** Other names accepted by `/v1/agent`. */
  readonly aliases?: readonly string[]
  readonly phrases?: readonly Phrase[]
  /** Time limit of the whole call in milliseconds, default 30,000. A function needs `deadline`. */
  readonly timeoutMs?: number | ((input: Static<I>) => number)
  /** How `timeoutMs` follows from the input, in words, for people and client libraries; ends in `at most N` seconds. */
  readonly deadline?: string
  /** The input field reported as `metadata.mode_used`, default `mode`. */
  readonly mode?: string
  /** The value of `provider_used` when several vendors contributed, default `merged`. */
  readonly many?: string
  /** Product catalogues that list it beside `agent`, for example `browser`. */
  readonly products?: readonly string[]
  /** The queue of its calls, default `light`; `plugin test` requires it. */
  readonly work?: WorkClass
  /** Largest request body in bytes, default 1 MiB. */
  readonly bodyLimit?: number
  /**
   * The port of the capability's vendors where their input differs from that of callers: a port of the same id, for
   * example with a file that the handler fetched once for all of them. Providers serve this port; fixtures, waterfall
   * and suspension use the id as usual.
   */
  readonly vendors?: Port
  /** Ports the handler uses: the capability is live when one of them has a live provider. */
  readonly uses?: readonly Port[]
  /**
   * Kinds of work that different vendors serve, beginning with the one that the defaults mean. If some of them cannot
   * be served now, the capability is live with limits that name the others. Default: each word of `mode`.
   */
  readonly parts?: readonly WorkPart[]
  /** Parameters that name a file's format, by the parameter with its address; `capstan run` sets them from the file. */
  readonly formatOf?: Readonly<Record<string, string>>
  /** Ports without which this input cannot be served; checked before credits are held. */
  readonly requires?: (input: Static<I>) => readonly Port[]
  /**
   * Converts an input to the one form that price, mode, rules and handler read, for example a list that may be sent as
   * one string (`listed`). Called after the schema's check with defaults filled in; must be idempotent.
   */
  readonly normalise?: (input: Static<I>) => Static<I>
  /** Rules over several fields; all violations are reported at once as a validation error. */
  readonly check?: (input: Static<I>) => readonly Violation[]
  /** Facts about an input that a caller may need beside its price, such as its number of parts, for `/v1/estimate`. */
  readonly details?: (input: Static<I>) => InputDetails
  /** Lists that callers can read with GET, by the last segment of the path; made by `list`. */
  readonly lists?: Readonly<Record<string, DeclaredList>>
}

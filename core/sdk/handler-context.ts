import type { Cache } from './cache.js'
import type { Fault } from './fault.js'
import type { LiveProvider, Port } from './port.js'
import type { Given, Static, TObject, TSchema } from './schema.js'
import type { Services } from './services.js'

/** The answer of one vendor of a port. */
export interface PortAnswer<T> {
  /** The vendor's id. */
  readonly provider: string
  /** The vendor's position among the live ones of the waterfall, from 0. */
  readonly order: number
  readonly data: T
}

/** Options that end a gather before every vendor has answered. */
export interface GatherOptions<T> {
  /** Called after each answer, with all answers in the order of the waterfall; true ends the gather. */
  readonly until?: (answers: readonly PortAnswer<T>[]) => boolean
  /** Most vendors to call, at least 1, default all. Vendors that are unavailable or being probed do not count. */
  readonly atMost?: number
  /** Most vendors to call at the same time, at least 1, default all. */
  readonly atOnce?: number
  /**
   * Milliseconds for the whole gather, default the rest of the call. A vendor that does not answer in this time is
   * suspended like one that used up its try.
   */
  readonly withinMs?: number
  /** Ids of the vendors that may be called, default all. */
  readonly only?: readonly string[]
  /**
   * By default a gather without an answer throws what `call` would, the most useful Fault of its vendors: `missing`
   * only when one of them searched. False returns an empty list instead, which does not mean that there is no result.
   */
  readonly orFail?: boolean
  /** Called for each vendor without an answer, also suspended ones and those out of time, before the gather ends. */
  readonly onFailure?: (fault: Fault) => void
}

export interface AsideOptions {
  /** Milliseconds that the work may take, at most the rest of the call. */
  readonly withinMs: number
  /** The purpose of the work, for the note to the caller when there is no result; by default only the log has it. */
  readonly about?: string
  /**
   * Called before null is returned, with the failure of the work: `busy` when its time was over. Null alone does not
   * mean that there is no result; check this before you treat it as that.
   */
  readonly onFailure?: (fault: Fault) => void
}

/** What a handler may use in addition to the common services. */
export interface HandlerContext<S = unknown> extends Services {
  /** Settings of the plugin, defaults filled in. */
  readonly settings: Readonly<S>
  readonly cache: Cache<HandlerContext<S>>
  /**
   * Calls the live vendors of a port, all at once or as many as the options allow, in the order of the waterfall.
   * Answers are in the order of the waterfall. Once the rule holds, or the vendors or the time are used up, running
   * vendors are cancelled and the rest is not called; on a port that acts on the world the rule does not cancel running
   * vendors. Vendors without a result are omitted. Throws when no vendor could be called, when the call ends, and,
   * unless `orFail` is false, when no vendor had an answer.
   */
  gather<I extends TObject, O extends TSchema>(
    port: Port<I, O>,
    input: Given<I>,
    options?: GatherOptions<Static<O>>,
  ): Promise<PortAnswer<Static<O>>[]>
  /**
   * Optional work: returns null when it fails or takes longer than `withinMs`, which cancels its requests through the
   * context it receives. Not charged. Throws only when the call ends, and `overloaded` when no name server of the
   * gateway answers, because then no result is reliable. A vendor that does not answer in this time is suspended like
   * one that used up its try.
   */
  aside<T>(task: (context: HandlerContext<S>) => Promise<T>, options: AsideOptions): Promise<T | null>
  /** The live vendors of a port or of the own capability, in the order of the waterfall, including suspended ones. */
  providers(): readonly LiveProvider[]
  providers<I extends TObject, O extends TSchema>(port: Port<I, O>): readonly LiveProvider<I>[]
}

import type { Cache } from './cache.js'
import type { Fault } from './fault.js'
import type { LiveProvider, Port } from './port.js'
import type { Given, Static, TObject, TSchema } from './schema.js'
import type { Services } from './services.js'

/** What one vendor answered to a port. */
export interface PortAnswer<T> {
  /** The vendor's id. */
  readonly provider: string
  /** The vendor's place among the live ones of the waterfall, from 0. */
  readonly order: number
  readonly data: T
}

/** When a gather ends before every vendor has answered. */
export interface GatherOptions<T> {
  /** Asked after each answer, with all there are in the order of the waterfall; true ends the gather. */
  readonly until?: (answers: readonly PortAnswer<T>[]) => boolean
  /** Most vendors that are asked, at least 1, default all. One that turns out unavailable, or is left behind while it is probed, does not count. */
  readonly atMost?: number
  /** Most vendors that are asked at the same time, at least 1, default all. */
  readonly atOnce?: number
  /** Milliseconds for the whole gather, default what is left of the call. A vendor that hangs for that long is suspended like one that used up its try. */
  readonly withinMs?: number
  /** Ids of the vendors that may be asked, default all. */
  readonly only?: readonly string[]
  /**
   * Without an answer the gather throws what `call` would, the most useful Fault of its vendors: `missing` only when one of them looked. False gives
   * an empty list instead, which says nothing of whether there is a result.
   */
  readonly orFail?: boolean
  /** Called for each vendor without an answer, also for those that were suspended or out of time, before the gather ends. */
  readonly onFailure?: (fault: Fault) => void
}

export interface AsideOptions {
  /** Milliseconds the work may take, at most what is left of the call. */
  readonly withinMs: number
  /** What the work is for, as the remark to the caller names it when there is no result; without it only the log says so. */
  readonly about?: string
  /**
   * Called before null is returned, with what the work ended with: `busy` when its time was over. Null alone says nothing of whether there is a
   * result; whoever takes it for "there is none" must look at this.
   */
  readonly onFailure?: (fault: Fault) => void
}

/** What a handler may use beyond the common services. */
export interface HandlerContext<S = unknown> extends Services {
  /** Settings of the plugin, defaults filled in. */
  readonly settings: Readonly<S>
  readonly cache: Cache<HandlerContext<S>>
  /**
   * Asks the live vendors of a port, all at once or as many as the options allow, beginning with the first of the waterfall. Answers are in the
   * order of the waterfall. Once the rule holds, or the vendors or the time are used up, what still runs is cancelled and the rest is not asked;
   * on a port that acts on the world the rule cancels nothing that runs. Vendors without a result are left out. Throws when no vendor could
   * be asked, when the call ends, and, unless `orFail` is false, when nobody had an answer.
   */
  gather<I extends TObject, O extends TSchema>(
    port: Port<I, O>,
    input: Given<I>,
    options?: GatherOptions<Static<O>>,
  ): Promise<PortAnswer<Static<O>>[]>
  /**
   * Work the answer can do without: null when it fails or takes longer than `withinMs`, which cancels what it asked through the context it is
   * given. Unbilled. Throws only when the call ends, and `overloaded` when no name server of the gateway answers, since nothing is then known of
   * anything. A vendor that hangs for that long is suspended like one that used up its try.
   */
  aside<T>(task: (context: HandlerContext<S>) => Promise<T>, options: AsideOptions): Promise<T | null>
  /** The live vendors of a port, or of the handler's own capability, in the order of the waterfall, with those that are suspended. */
  providers(): readonly LiveProvider[]
  providers<I extends TObject, O extends TSchema>(port: Port<I, O>): readonly LiveProvider<I>[]
}

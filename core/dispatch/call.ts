import type { Cancel } from '../runtime/cancel.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import type { CallerNames, Fault, ModelTokens } from '../sdk/index.js'
import { AttemptList } from './attempts.js'
import type { Attempt } from '../telemetry/types.js'
import type { Log } from '../runtime/log-events.js'
import { Stopped } from '../problems/errors.js'
import { CallVendorUse } from './vendor-use.js'

/** Remarks of one call, and characters of one. */
const MOST_NOTES = 100
const LONGEST_NOTE = 2_000
const NOTHING: readonly string[] = []

export interface Progress {
  readonly step: string
  readonly detail: string | null
  readonly done: number | null
  readonly total: number | null
}

/** A vendor that answered, and the port that it was asked by. */
interface VendorContribution {
  readonly vendor: string
  readonly port: string | null
}

/** One call on its way: what happened so far, shared by all ports it asks. */
export class CallState {
  readonly requestId: string
  readonly account: string
  /** Whose caps of a key it counts to: the key, or the first key that it descends from and that has a spending cap. */
  readonly key: string
  readonly cancel: Cancel
  readonly tries: AttemptList
  readonly notes: string[] = []
  readonly tokens = new TokenUses()
  /** Shared with the call above. */
  readonly vendorUse: CallVendorUse
  /** Vendors that the capability's own handler was answered by, each once for each port; of kept values the port is not known. */
  readonly contributions: VendorContribution[] = []
  /** Sends a step to a caller who asked for events. */
  onProgress: ((progress: Progress) => void) | null = null
  /** A part of the result was sent to the caller as progress: the call is charged when it succeeds, whether or not its caller stays. */
  partialResultSent = false
  /** A port that acts on the world was asked: the outcome must not be thrown away. */
  actedOnce = false
  /** Bytes of the source files that the call has taken in. */
  sourceBytes = 0
  /** A try was ended at its limit of time or memory. */
  costly = false
  /** What still runs is a probe that the call no longer waits for. */
  left = false
  /** Ids of the cached values that this is the load of. */
  loading: readonly string[] = NOTHING

  readonly #reported = new WeakSet<object>()
  readonly #nameCaller: () => CallerNames
  readonly #above: CallState | null
  #caller: CallerNames | null = null
  #scratch: ScratchFolder | null = null
  #ended = false

  /** `caller` is asked for once, when a plugin first wants to know; `above` is the call that takes over what this one notes. */
  constructor(about: { requestId: string; account: string; key: string; caller: () => CallerNames; cancel: Cancel; above?: CallState }) {
    this.#above = about.above ?? null
    this.tries = new AttemptList(about.above?.tries)
    this.vendorUse = about.above?.vendorUse ?? new CallVendorUse()
    this.requestId = about.requestId
    this.account = about.account
    this.key = about.key
    this.#nameCaller = about.caller
    this.cancel = about.cancel
  }

  /** In the order in which they began. */
  get attempts(): readonly Attempt[] {
    return this.tries.all
  }

  /** Who calls, as plugins may know it. */
  get caller(): CallerNames {
    return (this.#caller ??= this.#nameCaller())
  }

  /** Sends a step to the caller, or to that of the call above; one with `partialResult` is a part of what the caller pays for. */
  report(progress: Progress, { partialResult = false }: { readonly partialResult?: boolean } = {}): void {
    if (this.left) return
    if (this.#above !== null) return this.#above.report(progress, { partialResult })
    if (this.onProgress === null) return
    this.partialResultSent ||= partialResult
    this.onProgress(progress)
  }

  /** The call's folder for files, opened when first asked for. Throws Stopped once the call has ended. */
  scratch(open: () => ScratchFolder): ScratchFolder {
    if (this.#ended) throw new Stopped('over')
    return (this.#scratch ??= open())
  }

  /** Deletes the call's files, behind its answer. */
  end(log: Log): void {
    this.#ended = true
    this.#scratch?.close().catch((error: unknown) => {
      log('call-files-left', 'files of a call could not be deleted', { request_id: this.requestId, error: String(error) })
    })
  }

  /** The failure of a provider has its line in the log. */
  reported(fault: Fault): void {
    this.#reported.add(fault)
  }

  /** Whether the log has named this failure. */
  isReported(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#reported.has(error)
  }

  recordProvider(vendor: string, port: string | null): void {
    if (!this.contributions.some((each) => each.vendor === vendor && each.port === port)) this.contributions.push({ vendor, port })
  }

  /**
   * Vendors whose data the answer of a capability was made of: those of its own port, where one of them answered, since other ports then only helped,
   * such as by reading the document; otherwise those of all ports.
   */
  contributors(capability: string): string[] {
    const own = this.contributions.filter(({ port }) => port === capability)
    return [...new Set((own.length > 0 ? own : this.contributions).map(({ vendor }) => vendor))]
  }

  /** Keeps a remark for the caller, once. What a plugin hands over may be anything; what is kept is short text that JSON can write. */
  note(remark: unknown): void {
    const text = String(remark).slice(0, LONGEST_NOTE)
    if (this.notes.length < MOST_NOTES && !this.notes.includes(text)) this.notes.push(text)
  }
}

/** Models that are listed for one call; what others used is not shown. */
const MOST_MODELS = 50

/** What one vendor's model counted over a call, as `metadata.usage` shows it. */
export interface TokenUse {
  readonly provider: string
  readonly model: string
  input_tokens: number
  output_tokens: number
}

/** The tokens of one call, summed by vendor and model. */
export class TokenUses {
  readonly list: TokenUse[] = []

  add(provider: string, { model, input, output }: ModelTokens): void {
    const known = this.list.find((use) => use.provider === provider && use.model === model)
    if (known !== undefined) {
      known.input_tokens += input
      known.output_tokens += output
    } else if (this.list.length < MOST_MODELS) this.list.push({ provider, model, input_tokens: input, output_tokens: output })
  }
}

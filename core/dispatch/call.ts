import type { Cancel } from '../runtime/cancel.js'
import type { ScratchFolder } from '../files/scratch-folder.js'
import type { CallerNames, Fault, ModelTokens } from '../sdk/index.js'
import { AttemptList } from './attempts.js'
import type { Attempt } from '../telemetry/types.js'
import type { Log } from '../runtime/log-events.js'
import { Stopped } from '../problems/errors.js'
import { CallVendorUse } from './vendor-use.js'

/** Most notes of one call, and most characters of one. */
const MOST_NOTES = 100
const LONGEST_NOTE = 2_000
const NOTHING: readonly string[] = []

export interface Progress {
  readonly step: string
  readonly detail: string | null
  readonly done: number | null
  readonly total: number | null
}

/** A vendor that answered, and the port it was called through. */
interface VendorContribution {
  readonly vendor: string
  readonly port: string | null
}

/** The state of one running call, shared by all ports it calls. */
export class CallState {
  readonly requestId: string
  readonly account: string
  /** The key whose caps it counts against: the key itself, or its nearest ancestor that has a spending cap. */
  readonly key: string
  readonly cancel: Cancel
  readonly tries: AttemptList
  readonly notes: string[] = []
  readonly tokens = new TokenUses()
  /** Shared with the call above. */
  readonly vendorUse: CallVendorUse
  /** Vendors that answered the capability's own handler, once for each port, which some cached values do not have. */
  readonly contributions: VendorContribution[] = []
  /** Sends a step to a caller that requested events. */
  onProgress: ((progress: Progress) => void) | null = null
  /** A part of the result was sent as progress: a successful call is charged even if its caller has disconnected. */
  partialResultSent = false
  /** A port with external effects was called: the outcome must not be discarded. */
  actedOnce = false
  /** Bytes of the source files that the call has received. */
  sourceBytes = 0
  /** A try was stopped at its limit of time or memory. */
  costly = false
  /** Only a probe still runs, and the call no longer waits for it. */
  left = false
  /** Ids of the cached values that this state loads. */
  loading: readonly string[] = NOTHING

  readonly #reported = new WeakSet<object>()
  readonly #nameCaller: () => CallerNames
  readonly #above: CallState | null
  #caller: CallerNames | null = null
  #scratch: ScratchFolder | null = null
  #ended = false

  /** `caller` is called once, on first use by a plugin; `above` is the call that this state's notes are merged into. */
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

  /** The caller's pseudonyms for plugins. */
  get caller(): CallerNames {
    return (this.#caller ??= this.#nameCaller())
  }

  /** Sends a step to the caller, or to that of the call above; `partialResult` marks a part of the paid result. */
  report(progress: Progress, { partialResult = false }: { readonly partialResult?: boolean } = {}): void {
    if (this.left) return
    if (this.#above !== null) return this.#above.report(progress, { partialResult })
    if (this.onProgress === null) return
    this.partialResultSent ||= partialResult
    this.onProgress(progress)
  }

  /** The call's folder for files, opened on first use. Throws Stopped once the call has ended. */
  scratch(open: () => ScratchFolder): ScratchFolder {
    if (this.#ended) throw new Stopped('over')
    return (this.#scratch ??= open())
  }

  /** Deletes the call's files in the background. */
  end(log: Log): void {
    this.#ended = true
    this.#scratch?.close().catch((error: unknown) => {
      log('call-files-left', 'files of a call could not be deleted', { request_id: this.requestId, error: String(error) })
    })
  }

  /** Marks a provider's failure as logged. */
  reported(fault: Fault): void {
    this.#reported.add(fault)
  }

  /** Whether this failure was logged. */
  isReported(error: unknown): boolean {
    return typeof error === 'object' && error !== null && this.#reported.has(error)
  }

  recordProvider(vendor: string, port: string | null): void {
    if (!this.contributions.some((each) => each.vendor === vendor && each.port === port)) this.contributions.push({ vendor, port })
  }

  /**
   * Vendors whose data the answer of a capability contains: those of its own port where one of them answered, since
   * other ports then only assisted, such as by reading the document; otherwise those of all ports.
   */
  contributors(capability: string): string[] {
    const own = this.contributions.filter(({ port }) => port === capability)
    return [...new Set((own.length > 0 ? own : this.contributions).map(({ vendor }) => vendor))]
  }

  /** Adds a note for the caller, once. Any value that a plugin passes is converted to a short text. */
  note(remark: unknown): void {
    const text = String(remark).slice(0, LONGEST_NOTE)
    if (this.notes.length < MOST_NOTES && !this.notes.includes(text)) this.notes.push(text)
  }
}

/** Most models listed for one call; the use of further ones is not shown. */
const MOST_MODELS = 50

/** Tokens of one vendor's model over a call, as shown in `metadata.usage`. */
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

import type { ScratchFolder } from '../files/scratch-folder.js'
import type { VendorUse } from '../limits/unpaid.js'
import type { LoadedPort, LoadedProvider } from '../loader/types.js'
import { Stopped } from '../problems/errors.js'
import type { Cancel } from '../runtime/cancel.js'
import type { Log } from '../runtime/log-events.js'
import type { CallerNames, Fault, ModelTokens } from '../sdk/index.js'
import type { Attempt } from '../telemetry/types.js'

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
class TokenUses {
  readonly list: TokenUse[] = []

  add(provider: string, { model, input, output }: ModelTokens): void {
    const known = this.list.find((use) => use.provider === provider && use.model === model)
    if (known !== undefined) {
      known.input_tokens += input
      known.output_tokens += output
    } else if (this.list.length < MOST_MODELS) this.list.push({ provider, model, input_tokens: input, output_tokens: output })
  }
}

/** The record of a try that begins. */
export function attemptOf(
  { port, under }: { readonly port: LoadedPort; readonly under?: string | undefined },
  { vendor }: LoadedProvider,
): Attempt {
  const [provider, id] = [vendor.id, port.port.id]
  return under === undefined ? { provider, port: id, outcome: 'broken', ms: 0 } : { provider, port: id, under, outcome: 'broken', ms: 0 }
}

/** The tries of one call by start time, including those of work that keeps its own list. */
class AttemptList {
  readonly #places: { next: number }
  #entries: { readonly place: number; readonly attempt: Attempt }[] = []

  /** `above` is the list that this one will be merged into. */
  constructor(above?: AttemptList) {
    this.#places = above === undefined ? { next: 0 } : above.#places
  }

  get all(): Attempt[] {
    return this.#entries.map(({ attempt }) => attempt)
  }

  /** Reserves the place of a try that begins now. */
  place(): number {
    return this.#places.next++
  }

  add(attempt: Attempt, place = this.place()): void {
    const last = this.#entries.at(-1)
    this.#entries.push({ place, attempt })
    if (last !== undefined && last.place > place) this.#entries.sort((one, other) => one.place - other.place)
  }

  /** Merges the tries of another list, and removes `standIn` where one was added for them. */
  takeOver(other: AttemptList, standIn: Attempt | null = null): void {
    this.#entries = this.#entries.filter(({ attempt }) => attempt !== standIn)
    for (const { attempt, place } of other.#entries) this.add(attempt, place)
  }
}

/** Vendors that were called, each once, in the order of their first try; skipped ones are left out. */
export function providersTried(attempts: readonly Attempt[]): string[] {
  const tried = new Set<string>()
  for (const attempt of attempts) if (attempt.outcome !== 'skipped') tried.add(attempt.provider)
  return [...tried]
}

/** Vendor use of one call, with its probes and loads of shared values, which may continue after the call has ended. */
export class CallVendorUse {
  #use: VendorUse = { tokens: 0, calls: 0 }
  #count: ((use: VendorUse) => void) | null = null

  add({ tokens = 0, calls = 0 }: Partial<VendorUse>): void {
    if (this.#count === null) this.#use = { tokens: this.#use.tokens + tokens, calls: this.#use.calls + calls }
    else this.#count({ tokens, calls })
  }

  /** The call ended without a charge or is refunded: reports the use so far, and all later use at once. */
  unpaid(count: (use: VendorUse) => void): void {
    if (this.#count !== null) return
    this.#count = count
    if (this.#use.tokens > 0 || this.#use.calls > 0) count(this.#use)
  }
}

/** Outcomes of a try for which a vendor that replied with success is assumed to charge. */
const CHARGED_FOR: readonly string[] = ['ok', 'missing', 'invalid']

/** Vendor use of one try. */
export class TryUse {
  /** The vendor reported a cost. */
  costs = false
  /** The vendor replied with success (2xx). */
  replied = false
  /** The call ended or was cancelled before the try did. */
  stopped = false

  /** Records the status of a reply that was mapped to a Fault. */
  noteStatus(status: number | undefined): void {
    this.replied ||= status !== undefined && status >= 200 && status < 300
  }

  /**
   * Whether the vendor is assumed to charge for the try: it reported a cost; or it has a key of the operator and
   * replied with success, and the try ended in a result or a definite `missing`, or was stopped. A vendor that failed
   * or sent an unreadable reply is assumed not to charge.
   */
  isCharged(kind: 'local' | 'keyless' | 'keyed', outcome: string): boolean {
    return this.costs || (kind === 'keyed' && this.replied && (this.stopped || CHARGED_FOR.includes(outcome)))
  }
}

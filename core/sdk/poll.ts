import { Fault } from './fault.js'
import type { ProviderContext } from './services.js'
import { isTransientStatus } from './vendor-call.js'

/** The state of a vendor's job. */
export type JobState<R> =
  | { readonly state: 'done'; readonly result: R }
  | { readonly state: 'failed'; readonly fault: Fault }
  | {
      readonly state: 'running'
      /** Shown to callers who receive events, when it differs from the last one. */
      readonly step?: string
      readonly detail?: string
      readonly done?: number
      readonly total?: number
      /** The vendor's wait before the next request, in milliseconds. */
      readonly waitMs?: number
    }

/** A vendor's job that is waited for. Times are in milliseconds. */
export interface Job<Settings, State, Result> {
  /** Requests the state, and does no more: `read` interprets it. */
  readonly ask: (context: ProviderContext<Settings>) => Promise<State>
  readonly read: (state: State) => JobState<Result>
  /** The state in the reply that created the job, read before any request. */
  readonly first?: State
  /** Ends the job at the vendor when nobody waits for it any more. */
  readonly cancel?: (context: ProviderContext<Settings>) => Promise<unknown>
  /** Between the first request and the second, default 1,000. */
  readonly firstMs?: number
  /** Each wait is so many times the one before, default 1.5. */
  readonly factor?: number
  /** Longest wait, default 10,000. */
  readonly mostMs?: number
}

const FORGOTTEN: readonly (number | undefined)[] = [404, 410]
/** Consecutive requests that may fail at a vendor that works again afterwards. */
const MOST_FAILURES = 3
const LEAST_WAIT_MS = 100
/** The last request is made so long before the end. */
const LAST_REQUEST_MS = 500

/**
 * Waits for a vendor's job: requests its state at once, then at growing intervals, or as the vendor says. A busy vendor
 * (429, 503) is waited for within the time left; a failing one (5xx, a lost connection) gets three more requests. When
 * the time is over, the caller disconnects or the gateway stops, the wait ends with the call and the job is cancelled.
 * Throws the Fault of a failed job, `broken` for an unknown one (404, 410), `busy` when the wait exceeds the time left.
 */
export async function poll<Settings, State, Result>(
  context: ProviderContext<Settings>,
  job: Job<Settings, State, Result>,
): Promise<Result> {
  const { firstMs = 1_000, factor = 1.5, mostMs = 10_000 } = job
  const withdraw = job.cancel === undefined ? () => undefined : context.cleanUp(job.cancel)
  const request = requests(context, job)
  let reported = ''
  let backoff = firstMs
  for (let state = job.first === undefined ? await request(withdraw) : job.read(job.first); ; state = await request(withdraw)) {
    if (state.state !== 'running') {
      withdraw()
      if (state.state === 'failed') throw vendorsWord(state.fault)
      return state.result
    }
    const { step = 'waiting', detail, done, total, waitMs } = state
    const now = JSON.stringify([step, detail, done, total])
    if (now !== reported) context.progress(step, detail, done, total)
    reported = now
    await context.wait(
      waitMs === undefined ? ownWait(Math.min(backoff, mostMs), context.timeLeft()) : vendorWait(waitMs, context.timeLeft()),
    )
    backoff = Math.min(backoff * factor, mostMs)
  }
}

/** Requests and reads the state; after a transient failure the job counts as running. */
function requests<Settings, State, Result>(context: ProviderContext<Settings>, { ask, read }: Job<Settings, State, Result>) {
  let failures = 0
  return async (withdraw: () => void): Promise<JobState<Result>> => {
    let state: State
    try {
      state = await ask(context)
    } catch (error) {
      if (!Fault.is(error)) throw error
      if ((error.kind === 'missing' || error.kind === 'broken') && FORGOTTEN.includes(error.status)) {
        withdraw()
        throw unknownJob(error)
      }
      failures++
      const waitMs = (error.retryAfterSeconds ?? 0) * 1_000
      if (!mayPass(error, failures) || waitMs >= context.timeLeft()) throw error
      return { state: 'running', ...(waitMs > 0 ? { waitMs } : {}) }
    }
    failures = 0
    return read(state)
  }
}

function mayPass({ kind, status }: Fault, failures: number): boolean {
  return kind === 'busy' || (kind === 'broken' && failures <= MOST_FAILURES && (status === undefined || isTransientStatus(status)))
}

/** A failed job is a vendor's reply, so the next vendor may succeed: it is no refusal of the input by the gateway. */
function vendorsWord(fault: Fault): Fault {
  if (fault.status !== undefined) return fault
  return Object.assign(new Fault(fault.kind, fault.message, { cause: fault.cause }), fault, { status: 200 })
}

function unknownJob(cause: Fault): Fault {
  const { internal, ambiguous, status } = cause
  return new Fault('broken', 'The vendor has no record of the job that it had begun.', {
    cause,
    ambiguous,
    ...(internal === undefined ? {} : { internal }),
    ...(status === undefined ? {} : { status }),
  })
}

/** The vendor's own time is kept to. A job that needs more of it says nothing against the vendor. */
function vendorWait(ms: number, left: number): number {
  const wait = Number.isFinite(ms) ? Math.max(LEAST_WAIT_MS, ms) : LEAST_WAIT_MS
  if (wait < left) return wait
  throw new Fault('busy', 'The vendor needs more time for the job than there is.', {
    unavailable: true,
    retryAfterSeconds: Math.ceil(wait / 1_000),
  })
}

/** A wait that would end too late is shortened for a last request. */
function ownWait(ms: number, left: number): number {
  const wait = Math.max(LEAST_WAIT_MS, ms)
  return wait < left || left < LEAST_WAIT_MS + LAST_REQUEST_MS ? wait : left - LAST_REQUEST_MS
}

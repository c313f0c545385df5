import { Stopped, Unavailable } from '../problems/errors.js'
import { Fault } from '../sdk/index.js'
import { StoreUnavailable } from '../store/types.js'
import { Problem } from '../problems/problem.js'

/** Default Retry-After, in seconds. */
const DEFAULT_WAIT_SECONDS = 5
/** The same for a target that could not be reached. */
const TARGET_WAIT_SECONDS = 30

const PRIVATE =
  'Give an address that everybody can reach, or send a file of yours with POST /v1/files. The operator can allow private addresses (CAPSTAN_ALLOW_PRIVATE).'
const DISK_FULL = 'The disk of the ledger is full, so no call can be paid for. Nothing was charged.'

/** Maps a thrown error to a problem. Unknown errors are `internal`; their messages go only to the log. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (Fault.is(error)) return fromFault(error)
  if (error instanceof Unavailable) return new Problem('capability-unavailable', error.message, { cause: error })
  if (error instanceof Stopped) return fromStop(error)
  if (error instanceof StoreUnavailable)
    return new Problem('store-unavailable', error.full ? DISK_FULL : 'The ledger did not answer in time. Nothing was charged.', {
      retryAfterSeconds: 1,
      internal: error.message,
      cause: error,
    })
  const internal = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return new Problem('internal', 'The gateway failed on this call. Nothing was charged.', { retryAfterSeconds: 1, internal, cause: error })
}

function fromFault(fault: Fault): Problem {
  // A shortage of the gateway itself.
  if (fault.cause instanceof Problem) return fault.cause
  const cause = {
    cause: fault,
    ...(fault.internal === undefined ? {} : { internal: fault.internal }),
    ...(fault.remedy === undefined ? {} : { action: fault.remedy }),
  }
  switch (fault.kind) {
    case 'invalid':
      return new Problem('validation-failed', atField(fault), {
        ...cause,
        validation: [{ loc: ['body', ...(fault.loc ?? [])], msg: fault.message, type: 'value_error' }],
      })
    case 'missing':
      return new Problem(fault.unavailable ? 'capability-unavailable' : 'no-result', fault.message, {
        ...cause,
        inconclusive: fault.inconclusive,
      })
    case 'blocked':
      return fault.unavailable
        ? new Problem('target-unavailable', fault.message, { ...cause, retryAfterSeconds: fault.retryAfterSeconds ?? TARGET_WAIT_SECONDS })
        : new Problem('target-blocked', fault.message, fault.obstacle === 'private' ? { ...cause, action: PRIVATE } : cause)
    case 'busy':
      return new Problem('providers-failed', fault.message, {
        ...cause,
        category: 'transient',
        retriable: !fault.ambiguous,
        retryAfterSeconds: Math.max(1, Math.ceil(fault.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS)),
      })
    case 'quota':
    case 'credentials':
    case 'broken':
      return new Problem('providers-failed', fault.message, {
        ...cause,
        retriable: !fault.ambiguous,
        retryAfterSeconds: DEFAULT_WAIT_SECONDS,
      })
  }
}

/** The fault of a field, prefixed with its path where the message does not contain its name. */
function atField({ loc = [], message }: Fault): string {
  const name = loc.findLast((part) => typeof part === 'string')
  return name === undefined || message.includes(name) ? message : `${loc.join('.')}: ${message}`
}

function fromStop(stop: Stopped): Problem {
  if (stop.reason === 'shutdown')
    return new Problem('overloaded', 'The gateway is stopping. Nothing was charged.', { retryAfterSeconds: 2, cause: stop })
  if (stop.reason === 'preempted')
    return new Problem('no-result', 'The file takes longer than a file of its size may while other accounts wait. Nothing was charged.', {
      cause: stop,
      inconclusive: true,
    })
  return new Problem('deadline-exceeded', 'The deadline of the call passed before a provider had an answer. Nothing was charged.', {
    retryAfterSeconds: 1,
    cause: stop,
  })
}

import { Fault, retryAfterOf, type FaultKind } from '../sdk/index.js'
import { RequestStopped } from './exchange.js'
import { IntakeError } from './body-decoder.js'
import { codeOf } from '../problems/own-shortage.js'

const KINDS: Readonly<Record<number, FaultKind>> = {
  400: 'invalid',
  401: 'credentials',
  402: 'quota',
  403: 'credentials',
  404: 'missing',
  408: 'busy',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
  425: 'busy',
  429: 'busy',
  503: 'busy',
  529: 'busy',
}
const SENTENCES: Readonly<Record<FaultKind, string>> = {
  invalid: 'the vendor refused the request',
  missing: 'the vendor has nothing for this request',
  blocked: 'the vendor refused the target',
  busy: 'the vendor is busy',
  quota: 'the account at the vendor is used up',
  credentials: 'the vendor refused our credentials',
  broken: 'the vendor failed',
}
const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT'])
/** Server errors which mean that the request was not carried out. */
const CLEAR_REFUSALS = new Set([501, 503, 505, 529])

interface FaultFacts {
  readonly once: boolean
  readonly internal: string
}

/** The Fault of a status outside 200 to 299 that the vendor's own reader did not interpret. `now` is the wall clock in milliseconds. */
export function statusFault(status: number, retryAfter: string | undefined, now: number, facts: FaultFacts): Fault {
  const kind = KINDS[status] ?? 'broken'
  const seconds = kind === 'busy' ? retryAfterOf(retryAfter, now) : undefined
  return new Fault(kind, status >= 300 && status < 400 ? 'the vendor redirected elsewhere' : SENTENCES[kind], {
    internal: facts.internal,
    status,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    ambiguous: facts.once && status >= 500 && !CLEAR_REFUSALS.has(status),
  })
}

/** The Fault of a vendor's own reader, with the reply's status. */
export function vendorFault(fault: Fault, status: number): Fault {
  return Object.assign(new Fault(fault.kind, fault.message, { cause: fault.cause }), fault, { status })
}

/**
 * A failure at an address from the vendor's reply, as the vendor's: not found, refused or unreachable is `broken`, no answer in time is
 * `busy`; `invalid` only for content that was `sent` and refused. Our credentials were not involved.
 */
export function namedAddressFault(fault: Fault, { once, sent }: { readonly once: boolean; readonly sent: boolean }): Fault {
  const { kind, status, cause } = fault
  if (kind === 'busy') return fault
  const late = status === undefined && (isLate(cause) || (fault.unavailable && !(cause instanceof Error)))
  const refused = sent && kind === 'invalid' && status !== undefined
  const message = status === undefined ? (late ? 'did not answer in time' : 'could not be used') : `answered with status ${String(status)}`
  return new Fault(late ? 'busy' : refused ? 'invalid' : 'broken', `the address that the vendor named ${message}`, {
    cause: fault,
    internal: `${fault.message}${fault.internal === undefined ? '' : ` (${fault.internal})`}`,
    ambiguous: fault.ambiguous || (once && status === undefined),
    ...(status === undefined ? {} : { status }),
  })
}

function isLate(error: unknown): boolean {
  return error instanceof RequestStopped || TIMEOUTS.has(codeOf(error))
}

/** The Fault of a request without a usable reply; `left` is true when it may have reached the vendor. */
export function failureFault(error: unknown, left: boolean, facts: FaultFacts): Fault {
  const [kind, message] = reading(error)
  const code = Fault.is(error) ? `${error.kind}: ${error.message}` : codeOf(error) || (error instanceof Error ? error.name : 'failed')
  return new Fault(kind, message, {
    internal: `${facts.internal} -> ${code}`,
    ambiguous: facts.once && left,
    unavailable: isUnresolved(error),
  })
}

/** True when the vendor's name got no answer, a problem of name servers rather than of the vendor. */
function isUnresolved(error: unknown): boolean {
  return Fault.is(error) && error.unavailable
}

function reading(error: unknown): [FaultKind, string] {
  if (error instanceof RequestStopped) {
    return [
      'busy',
      error.reason === 'client-gone' || error.reason === 'shutdown' ? 'the request was stopped' : 'the vendor did not answer in time',
    ]
  }
  if (error instanceof IntakeError)
    return [
      'broken',
      error.problem === 'large' ? 'the vendor answered with too many bytes' : 'the vendor answered with a body that cannot be read',
    ]
  if (isUnresolved(error)) return ['busy', "the vendor's name could not be resolved in time"]
  if (Fault.is(error)) return ['broken', "the vendor's address could not be reached"]
  if (TIMEOUTS.has(codeOf(error))) return ['busy', 'the vendor did not answer in time']
  return ['broken', 'the connection to the vendor failed']
}

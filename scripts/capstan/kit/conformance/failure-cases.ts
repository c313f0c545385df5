import { Suspensions } from '../../../../core/dispatch/suspension.js'
import { buildRequest, isDefinite, type Call, type Fault, type FaultKind } from '../../../../core/sdk/index.js'
import { replayAccess } from './access.js'
import { attempt, leaked, type Attempt, type Outcome } from './attempt.js'
import type { VendorResponse } from './replay.js'

/** One kind of vendor failure. */
interface VendorFailure {
  readonly name: string
  readonly answer: (response: VendorResponse) => void
  /** The reply is wrong only where JSON is expected. */
  readonly json?: true
  /** Providers of the run form may accept it (some vendors answer 404 when nothing exists). */
  readonly mayAnswer?: true
  /** Only this input is refused: the next provider is tried and none is suspended, however often it happens. */
  readonly refuses?: true
  /** The vendor did not search: a result of "nothing" would be invented. */
  readonly out?: true
  /** The kind it must be reported as, so that the operator is notified; a vendor's own reader may be more specific. */
  readonly kind?: FaultKind
}

const RETRY_AFTER = 7

const status = (code: number, headers: Readonly<Record<string, string>> = {}) => {
  return (response: VendorResponse): void =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"no"}}')
}
const body = (text: string, type = 'application/json') => {
  return (response: VendorResponse): void => void response.writeHead(200, { 'content-type': type }).end(text)
}

/** An error page of a proxy in front of a vendor. */
export const PAGE = '<!doctype html><html><head><title>Sorry</title></head><body>We are down for maintenance.</body></html>'

/** Failures that every HTTP provider must handle: the outcome is a Fault or nothing, never an exception or an invented result. */
export const VENDOR_FAILURES: readonly VendorFailure[] = [
  { name: '400', answer: status(400), refuses: true },
  { name: '401', answer: status(401), kind: 'credentials' },
  { name: '402', answer: status(402), kind: 'quota' },
  { name: '403', answer: status(403) },
  { name: '404', answer: status(404), mayAnswer: true },
  { name: '422', answer: status(422), refuses: true },
  { name: '429 with Retry-After', answer: status(429, { 'retry-after': String(RETRY_AFTER) }), out: true },
  { name: '500', answer: status(500), out: true },
  { name: '503', answer: status(503), out: true },
  { name: 'garbage', answer: body('\u0000\u0001<<<'), json: true, out: true },
  { name: 'an empty body', answer: body('') },
  { name: 'a wrong shape', answer: body('"unexpected"'), json: true },
  { name: 'a page in place of JSON', answer: body(PAGE, 'text/html'), json: true, out: true },
  {
    name: 'a cut body',
    out: true,
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"a":', () => response.destroy())
    },
  },
]

/** Answers every request of a provider with one failure. Throws when the provider does not handle it as required. */
export async function assertHandles(options: Omit<Attempt, 'script' | 'live'>, failure: VendorFailure): Promise<void> {
  const { provider, fixture } = options
  const plain = { ...fixture, exchanges: [] }
  const outcome = await attempt({ ...options, fixture: plain, live: false, script: { always: failure.answer } })
  const leak = leaked(provider, outcome.reported)
  if (leak !== null) throw new Error(leak)
  const mayAnswer = provider.contribution.http === undefined && failure.mayAnswer === true
  if (outcome.fault === null && outcome.output !== null && !mayAnswer)
    throw new Error(`it returned a result: ${JSON.stringify(outcome.output).slice(0, 200)}`)
  if (failure.out === true) assertNotMissing(outcome)
  retryAfter(outcome, failure)
  if (failure.refuses === true) assertRefusal(outcome.fault, options)
  if (failure.kind !== undefined) assertKind(outcome.fault, failure.kind)
}

/** After "nothing" a caller does not retry, and failures of other providers are not reported. */
function assertNotMissing({ fault, output }: Outcome): void {
  if (fault === null && output === null) throw new Error('it ended with nothing, which means that the vendor searched and found nothing')
  if (fault !== null && isDefinite(fault))
    throw new Error(`it ended with the fault "missing", as if the vendor had searched: ${fault.message}`)
}

/** A refusal of our key or account that is reported as nothing or another kind of Fault would not reach the operator. */
function assertKind(fault: Fault | null, kind: FaultKind): void {
  if (fault === null) throw new Error(`it ended with nothing, expected the fault "${kind}": the Fault of ctx.api must reach the caller`)
  if (fault.kind !== kind) throw new Error(`it ended with the fault "${fault.kind}", expected "${kind}": ${fault.message}`)
}

/** More failures than any suspension needs. */
const MANY = 20

/**
 * A vendor's 400 or 422 is `invalid` with the vendor's status, unless the vendor's own reader finds that there is no result (`missing`) or
 * that its target refused (`blocked`). However often it is reported, it does not suspend the provider.
 */
function assertRefusal(fault: Fault | null, { provider, machine }: Pick<Attempt, 'provider' | 'machine'>): void {
  if (fault === null)
    throw new Error('it ended with nothing although the vendor refused the input: the Fault of ctx.api must reach the caller')
  const { kind, status, message } = fault
  const read = provider.vendor.fault !== undefined && (kind === 'missing' || kind === 'blocked')
  if (kind !== 'invalid' && !read) throw new Error(`it ended with the fault "${kind}", expected "invalid": ${message}`)
  if (status === undefined)
    throw new Error(
      `the fault "${kind}" has no status, so it looks like our own refusal: throw the Fault of ctx.api, or pass its status on`,
    )
  const suspensions = new Suspensions(machine.clock)
  const id = provider.vendor.id
  for (let count = 0; count < MANY; count++) suspensions.failed(id, fault, { started: machine.clock.monotonic(), local: false })
  if (suspensions.admit(id) !== 'go') throw new Error('it would suspend the provider')
}

function retryAfter({ fault }: Outcome, { name }: VendorFailure): void {
  if (!name.startsWith('429') || fault?.kind !== 'busy') return
  if (fault.retryAfterSeconds !== RETRY_AFTER)
    throw new Error(`the busy fault lacks the ${String(RETRY_AFTER)} seconds of the vendor's Retry-After`)
}

/**
 * Whether a failure applies to a provider: replies that are wrong only as JSON are skipped for providers whose first request, or else
 * fixture, shows that they read something else first.
 */
export function concerns(failure: VendorFailure, { provider, fixture, port }: Pick<Attempt, 'provider' | 'fixture' | 'port'>): boolean {
  if (failure.json !== true) return true
  if (provider.contribution.http === undefined) return fixture.exchanges?.[0]?.reply.json !== undefined
  const input: unknown = structuredClone(fixture.input)
  if (!port.input.check(input)) return true
  const { settings } = replayAccess(provider, '', fixture)
  const call: Call = buildRequest(provider.contribution, input, { settings })
  return (call.reads ?? 'json') === 'json'
}

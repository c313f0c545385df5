import { Suspensions } from '../../../../core/dispatch/suspension.js'
import { buildRequest, isDefinite, type Call, type Fault, type FaultKind } from '../../../../core/sdk/index.js'
import { replayAccess } from './access.js'
import { attempt, leaked, type Attempt, type Outcome } from './attempt.js'
import type { VendorResponse } from './replay.js'

/** One way a vendor goes wrong. */
interface VendorFailure {
  readonly name: string
  readonly answer: (response: VendorResponse) => void
  /** For replies that are only wrong where JSON is expected. */
  readonly json?: true
  /** Providers of the run form may make something of it (a 404 is how some vendors say that nothing exists). */
  readonly mayAnswer?: true
  /** This very input is refused: the next provider is asked and nobody is suspended, however often it happens. */
  readonly refuses?: true
  /** The vendor did not look: that there is nothing would be made up. */
  readonly out?: true
  /** What it must be told apart as, so that the operator hears of it; a vendor's own reading may know better. */
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

/** What a proxy in front of a vendor says. */
export const PAGE = '<!doctype html><html><head><title>Sorry</title></head><body>We are down for maintenance.</body></html>'

/** What every provider that asks a vendor over HTTP must handle: always a Fault or nothing, never an exception or a made-up result. */
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

/** Plays one failure for every request of a provider. Throws when the provider does not end as it must. */
export async function assertHandles(options: Omit<Attempt, 'script' | 'live'>, failure: VendorFailure): Promise<void> {
  const { provider, fixture } = options
  const plain = { ...fixture, exchanges: [] }
  const outcome = await attempt({ ...options, fixture: plain, live: false, script: { always: failure.answer } })
  const leak = leaked(provider, outcome.reported)
  if (leak !== null) throw new Error(leak)
  const mayAnswer = provider.contribution.http === undefined && failure.mayAnswer === true
  if (outcome.fault === null && outcome.output !== null && !mayAnswer)
    throw new Error(`it made a result of it: ${JSON.stringify(outcome.output).slice(0, 200)}`)
  if (failure.out === true) assertNotMissing(outcome)
  retryAfter(outcome, failure)
  if (failure.refuses === true) assertRefusal(outcome.fault, options)
  if (failure.kind !== undefined) assertKind(outcome.fault, failure.kind)
}

/** A caller who is told that there is nothing does not ask again, and other providers' failures are forgotten over it. */
function assertNotMissing({ fault, output }: Outcome): void {
  if (fault === null && output === null) throw new Error('it ended with nothing, which says that the vendor looked and has none')
  if (fault !== null && isDefinite(fault))
    throw new Error(`it ended with the fault "missing", as if the vendor had looked: ${fault.message}`)
}

/** A refusal of our key or account that hides behind nothing, or another kind of Fault, is one the operator is never told of. */
function assertKind(fault: Fault | null, kind: FaultKind): void {
  if (fault === null) throw new Error(`it ended with nothing, expected the fault "${kind}": the Fault of ctx.api must reach the caller`)
  if (fault.kind !== kind) throw new Error(`it ended with the fault "${fault.kind}", expected "${kind}": ${fault.message}`)
}

/** As often as any count of failures would suspend. */
const MANY = 20

/**
 * A vendor's 400 or 422 is `invalid` and known for a vendor's word by its status, unless the vendor's own reading finds that it has nothing
 * (`missing`) or that its target refused (`blocked`). Told again and again it suspends nobody.
 */
function assertRefusal(fault: Fault | null, { provider, machine }: Pick<Attempt, 'provider' | 'machine'>): void {
  if (fault === null)
    throw new Error('it ended with nothing, where the vendor refused the input: the Fault of ctx.api must reach the caller')
  const { kind, status, message } = fault
  const read = provider.vendor.fault !== undefined && (kind === 'missing' || kind === 'blocked')
  if (kind !== 'invalid' && !read) throw new Error(`it ended with the fault "${kind}", expected "invalid": ${message}`)
  if (status === undefined)
    throw new Error(`the fault "${kind}" has no status, as if it were our own refusal: throw the one of ctx.api, or pass its status on`)
  const suspensions = new Suspensions(machine.clock)
  const id = provider.vendor.id
  for (let count = 0; count < MANY; count++) suspensions.failed(id, fault, { started: machine.clock.monotonic(), local: false })
  if (suspensions.admit(id) !== 'go') throw new Error('its provider would be suspended for it')
}

function retryAfter({ fault }: Outcome, { name }: VendorFailure): void {
  if (!name.startsWith('429') || fault?.kind !== 'busy') return
  if (fault.retryAfterSeconds !== RETRY_AFTER)
    throw new Error(`the busy fault forgets that the vendor asked for ${String(RETRY_AFTER)} seconds`)
}

/**
 * Whether a failure says anything about a provider: replies that are only wrong as JSON are not asked of those that read something else first,
 * as their request, or else their fixture, shows.
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

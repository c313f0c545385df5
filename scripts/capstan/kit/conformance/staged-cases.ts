import { isDeepStrictEqual } from 'node:util'
import { fileTypeFromBuffer } from 'file-type'
import { isRecord } from '../../../../core/sdk/json.js'
import type { FaultKind } from '../../../../core/sdk/index.js'
import { attempt, leaked, recorded, type Attempt, type Outcome } from './attempt.js'
import { difference, plain, type OutputFiles } from './expected.js'
import { PAGE } from './failure-cases.js'
import type { FixtureCase, FixtureFile } from './fixture.js'
import { recordedReply, type Exchange, type VendorResponse } from './replay.js'

/** A vendor failure after its work has begun, at one exchange of a recorded case. */
interface StagedCase {
  readonly name: string
  run(): Promise<void>
}

type Staged = Omit<Attempt, 'script' | 'live' | 'fixture'>

/** The failing exchange of a case, and its failure. */
interface Stage {
  readonly name: string
  readonly answer: (response: VendorResponse) => void
  /** The kind of Fault it must end with; any by default. */
  readonly kind?: FaultKind
  /** An answer without the result of the exchange is acceptable. */
  readonly optional?: true
  /** A further check of the outcome. */
  readonly also?: (outcome: Outcome) => void
}

/**
 * Failures that a provider must handle after its first request, derived from its recorded exchanges: a failing job where one exchange is
 * repeated until its answer changes, and a failing file where one returns a file. Cases without such exchanges have none.
 */
export async function stagedCases(subject: Staged, fixture: FixtureFile): Promise<StagedCase[]> {
  const cases = fixture.cases.filter(({ output }) => output !== undefined)
  return [...jobCases(subject, cases, fixture), ...(await fileCases(subject, cases))]
}

/** The cases of the first recorded job; a second one of the same provider would add nothing. */
function jobCases(subject: Staged, cases: readonly FixtureCase[], { cases: all }: FixtureFile): StagedCase[] {
  for (const fixture of cases) {
    const { exchanges = [] } = fixture
    const index = exchanges.findIndex((exchange, at) => isPoll(exchanges, at) && exchange.reply.json !== undefined)
    const poll = exchanges[index]
    if (poll === undefined) continue
    const stage = (each: Stage): StagedCase => stagedCase(subject, { ...fixture, exchanges: exchanges.slice(0, index + 1) }, index, each)
    return [
      stage({ name: 'a job that never ends', answer: saying(poll), kind: 'busy', also: isCancelled }),
      stage({ name: 'a job that is forgotten (404)', answer: status(404), kind: 'broken' }),
      stage({ name: 'a job that is forgotten (410)', answer: status(410), kind: 'broken' }),
      stage({ name: 'a job whose state cannot be read', answer: body('\u0000<<<', 'application/json'), kind: 'broken' }),
      { name: 'records a job that fails', run: () => recordsFailure(poll, all) },
    ]
  }
  return []
}

async function fileCases(subject: Staged, cases: readonly FixtureCase[]): Promise<StagedCase[]> {
  for (const fixture of cases) {
    const { exchanges = [] } = fixture
    for (const [index, exchange] of exchanges.entries()) {
      const { bytes, named, shown } = await fileOf(exchange)
      const foreign = exchange.request.address !== undefined && exchange.request.method === 'GET'
      if (bytes === null || (shown === null && !foreign)) continue
      const stage = (each: Stage): StagedCase => stagedCase(subject, fixture, index, { ...each, optional: true })
      const page = shown === 'text/html' ? [] : [stage({ name: 'a page in place of a file', answer: body(PAGE, 'text/html') })]
      return [
        stage({ name: 'a file that is cut short', answer: cut(bytes, named), kind: 'broken' }),
        stage({ name: 'an empty file', answer: body('', named) }),
        ...page,
        stage({ name: 'a page that is called a file', answer: body(PAGE, named) }),
        ...(foreign
          ? [403, 404, 410].map((code) =>
              stage({ name: `a result link that has expired (${String(code)})`, answer: status(code), kind: 'broken' }),
            )
          : [stage({ name: 'a file that is gone (404)', answer: status(404) })]),
      ]
    }
  }
  return []
}

function stagedCase(subject: Staged, fixture: FixtureCase, index: number, { name, answer, kind, also, optional }: Stage): StagedCase {
  return {
    name: `handles ${name}`,
    run: async () => {
      const script = { ...recorded(fixture, subject.provider), spoilt: { index, answer } }
      const outcome = await attempt({ ...subject, fixture, script, live: false })
      const leak = leaked(subject.provider, outcome.reported)
      if (leak !== null) throw new Error(leak)
      const { fault, output, deviation } = outcome
      if (deviation !== null) throw new Error(deviation)
      // An optional file may be missing from the answer.
      if (fault === null && optional === true && output !== null && isPoorer(plain(output), fixture.output, outcome.files)) return
      if (fault === null)
        throw new Error(
          output === null ? 'it ended with nothing, expected a fault' : `it returned a result: ${JSON.stringify(output).slice(0, 200)}`,
        )
      if (kind !== undefined && fault.kind !== kind)
        throw new Error(`it ended with the fault "${fault.kind}", expected "${kind}": ${fault.message}`)
      also?.(outcome)
    },
  }
}

/** True for a status request: it is repeated unchanged until its answer differs, with no other request in between. */
function isPoll(exchanges: readonly Exchange[], at: number): boolean {
  const exchange = exchanges[at]
  if (exchange === undefined || !isGood(exchange)) return false
  for (const later of exchanges.slice(at + 1)) {
    if (!isDeepStrictEqual(later.request, exchange.request)) return false
    if (isGood(later) && !isDeepStrictEqual(later.reply, exchange.reply)) return true
  }
  return false
}

/** True when a value only lacks parts of the expected one. */
function isPoorer(value: unknown, expected: unknown, files: OutputFiles): boolean {
  if (value === null) return true
  if (!isRecord(value) || !isRecord(expected)) return difference(expected, value, '', files) === null
  const names = Object.keys(expected)
  return isDeepStrictEqual(names.sort(), Object.keys(value).sort()) && names.some((name) => value[name] === null && expected[name] !== null)
    ? names.every((name) => isPoorer(value[name], expected[name], files))
    : difference(expected, value, '', files) === null
}

function isGood({ reply: { status: code = 200 } }: Exchange): boolean {
  return code >= 200 && code < 300
}

function isCancelled({ cleanUps: { count, requests } }: Outcome): void {
  if (count > 0 && requests === 0) throw new Error('it gives the job up without a request to the vendor to cancel it')
}

/** The form of a failed job depends on the vendor, so a case must record it. */
async function recordsFailure({ request }: Exchange, cases: readonly FixtureCase[]): Promise<void> {
  await Promise.resolve()
  const matches = ({ request: { method, path, host, address } }: Exchange): boolean =>
    isDeepStrictEqual([method, path, host, address], [request.method, request.path, request.host, request.address])
  if (cases.some(({ output, exchanges = [] }) => output === undefined && exchanges.some((each) => matches(each) && isGood(each)))) return
  throw new Error(
    `no case records a job that fails: one that ends with a fault or nothing, by what ${request.method} ${request.path ?? ''} answers`,
  )
}

/** The bytes of a file reply with their named and detected types; null bytes for any other reply. */
async function fileOf(exchange: Exchange) {
  const { json, base64, text } = exchange.reply
  const { headers, body: bytes } = recordedReply(exchange.reply)
  const named = headers['content-type']
  if (!isGood(exchange) || json !== undefined || (base64 ?? text) === undefined) return { bytes: null, named, shown: null }
  return { bytes, named, shown: (await fileTypeFromBuffer(bytes))?.mime ?? null }
}

function saying(exchange: Exchange) {
  const { status: code, headers, body: bytes } = recordedReply(exchange.reply)
  return (response: VendorResponse): void => void response.writeHead(code, headers).end(bytes)
}

function status(code: number) {
  return (response: VendorResponse): void =>
    void response.writeHead(code, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
}

function body(text: string, type: string) {
  return (response: VendorResponse): void => void response.writeHead(200, { 'content-type': type }).end(text)
}

function cut(bytes: Buffer, type: string) {
  return (response: VendorResponse): void => {
    response.writeHead(200, { 'content-type': type, 'content-length': String(bytes.length + 1) })
    response.write(bytes, () => response.destroy())
  }
}

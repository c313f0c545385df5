import { expect } from 'chai'
import { startGateway, type Reply, type TestGateway } from '../support/gateway.js'
import { RunningClock } from '../support/running-clock.js'
import { SHIPPED_CALLS, type Params } from '../support/shipped/calls.js'
import type { Mood } from '../support/shipped/gate.js'
import { ShippedWorld, type NamesAway } from '../support/shipped/world.js'

/** One way in which everything that is not of this machine fails at once. */
interface Outage {
  readonly name: string
  readonly mood: Mood
  readonly names?: NamesAway
  /** How many times faster than the real one the clock of the gateway goes meanwhile. */
  readonly rate?: number
}

const OUTAGES: readonly Outage[] = [
  { name: '500', mood: 'fails' },
  { name: '429', mood: 'busy' },
  { name: '401', mood: 'repeats' },
  { name: 'cut', mood: 'cuts' },
  { name: 'endless', mood: 'floods' },
  { name: 'hung', mood: 'waits', rate: 60 },
  { name: 'names silent', mood: 'fails', names: 'silent' },
  { name: 'names SERVFAIL', mood: 'fails', names: 'servfail' },
]

interface Row {
  readonly name: string
  readonly capability: string
  readonly params: (world: ShippedWorld, n: number) => Params
  /** Why the call may succeed without anybody else; `names` when it needs the name servers. */
  readonly alone?: { readonly why: string; readonly names?: true }
  /** An answer of the time before an outage may be given in the next. */
  readonly kept?: true
  /** The call is about one site: what the site answers is the result, also when it wants a login or sends what is no video. Free of charge. */
  readonly site?: true
  /** It acts on the world: an unknown outcome may not be tried again, and is final under its Idempotency-Key. */
  readonly acts?: true
}

/** Calls of which the first of a capability's modes does not show how the others end. */
const MODES: readonly Row[] = [
  { name: 'search ai', capability: 'search', params: (_, n) => ({ query: `blue kettle ${String(n)}`, mode: 'ai' }) },
  { name: 'search deep', capability: 'search', params: (_, n) => ({ query: `green kettle ${String(n)}`, mode: 'deep' }) },
  {
    name: 'sites.intel overview',
    capability: 'sites.intel',
    params: () => ({ domain: 'acme.test', mode: 'overview' }),
    alone: { why: 'name servers say a part of it, the others are left out with a note', names: true },
  },
  {
    name: 'sites.intel subdomains',
    capability: 'sites.intel',
    params: () => ({ domain: 'acme.test', mode: 'subdomains' }),
    alone: { why: 'only name servers are queried', names: true },
  },
  { name: 'domains pricing', capability: 'domains', params: () => ({ mode: 'pricing', tlds: ['com', 'io'] }), kept: true },
]

/** Answers that need nobody else, and why. */
const ALONE: Readonly<Record<string, Row['alone']>> = {
  scrape: { why: 'the page itself is read, which is not out' },
  'files.convert': { why: 'programs of this machine convert' },
  'images.remove_background': { why: 'a background of one colour is removed on this machine' },
  'invoices.parse': { why: 'an electronic invoice is read on this machine' },
}

/** Calls about a site that is away as well, at a host name that the name servers have to resolve. */
const SITES: Readonly<Record<string, Row['params']>> = {
  'video.info': ({ gate }, n) => ({ url: `http://acme.test:${String(gate.port)}/films/${String(n)}.mp4` }),
}
/** Moods of a site that are an answer of the site itself: it wants a login; it sends a file that is no video. */
const ANSWERS_OF_A_SITE: Partial<Record<Mood, string>> = { repeats: 'target-blocked', floods: 'no-result' }

const ROWS: readonly Row[] = [
  ...Object.entries(SHIPPED_CALLS).map(([id, { gated }]): Row => {
    const alone = ALONE[id]
    const site = SITES[id]
    const acts = id === 'messages.send' ? { acts: true as const } : {}
    const about = site === undefined ? {} : { site: true as const }
    return { name: id, capability: id, params: site ?? gated, ...(alone === undefined ? {} : { alone }), ...acts, ...about }
  }),
  ...MODES,
]

describe('B3 no shipped capability takes an outage of everybody else for an answer', function () {
  this.timeout(120_000)
  const clock = new RunningClock()
  const table = new Map<string, string[]>(ROWS.map(({ name }) => [name, []]))
  let world: ShippedWorld
  let gateway: TestGateway
  let caller: string
  before(async () => {
    world = await ShippedWorld.start(['site'])
    gateway = await startGateway({ ...world.options('beside'), overrides: { clock } })
    await gateway.admin('POST', '/admin/v1/accounts/default/grants', { amount: 100_000, ref: 'for the test' })
    caller = (await gateway.newKey()).key
  })
  after(async () => {
    const width = Math.max(...ROWS.map(({ name }) => name.length))
    const line = (name: string, cells: readonly string[]): string =>
      `      ${name.padEnd(width)} ${cells.map((cell) => cell.padEnd(20)).join('')}`
    console.log(
      [
        line(
          '',
          OUTAGES.map(({ name }) => name),
        ),
        ...[...table].map(([name, cells]) => line(name, cells)),
      ].join('\n'),
    )
    for (const { name, alone } of ROWS) if (alone !== undefined) console.log(`      ${name} may succeed: ${alone.why}`)
    await gateway?.close()
    await world?.close()
    clock.stop()
  })

  const call = async ({ capability, params }: Row, n: number, key: string): Promise<Reply> => {
    const { path } = gateway.app.services.registry().capabilities.get(capability)?.capability ?? expect.fail(`${capability} is not loaded`)
    return await gateway.send(path, { key: caller, body: params(world, n), headers: { 'idempotency-key': key } })
  }
  const resumeAll = (): void => {
    const { suspensions } = gateway.app.services
    for (const id of suspensions.ids()) suspensions.resume(id)
  }
  const all = async <T>(work: (row: Row) => Promise<T>): Promise<Map<Row, T>> =>
    new Map(await Promise.all(ROWS.map(async (row) => [row, await work(row)] as const)))

  /** What is wrong with the end of a call during an outage; null when nothing is. */
  const wrong = (
    { alone, kept, acts, site }: Row,
    reply: Reply,
    { first, mood, names, before }: { first: boolean; mood: Mood; names: NamesAway | null; before: Reply | undefined },
  ): string | null => {
    const { error } = reply.json()
    if (acts === true && before !== undefined && isUnknown(before)) return slugOf(reply) === 'idempotency-conflict' ? null : reply.text
    if (acts === true && isUnknown(reply)) return null
    const mayAnswer = (alone !== undefined && !(names !== null && alone.names === true)) || (kept === true && !first)
    if (error === null) return mayAnswer ? null : `200, ${String(reply.headers['x-credits-used'])} credits: ${reply.text.slice(0, 500)}`
    if (reply.headers['x-credits-used'] !== '0') return `charged for a failure: ${reply.text}`
    if (site === true && slugOf(reply) === ANSWERS_OF_A_SITE[mood]) return null
    if (![502, 503, 504].includes(reply.status) || !error.is_retriable) return `${String(reply.status)} ${slugOf(reply)}: ${error.detail}`
    return reply.headers['idempotent-replayed'] === undefined ? null : 'a failure was kept under the Idempotency-Key'
  }

  for (const [place, { name, mood, names = null, rate = 1 }] of OUTAGES.entries())
    it(`${name}: failures that cost nothing, may be tried again and are kept nowhere; then right with the first call`, async () => {
      const n = 1_000 + place
      const key = ({ name: row }: Row): string => `${name} ${row}`
      world.gate.be(mood)
      world.namesAre(names)
      clock.rate = rate
      const complaints: string[] = []
      const first = await all(async (row) => await call(row, n, key(row)))
      const second = await all(async (row) => await call(row, n, key(row)))
      world.gate.be('answers')
      world.namesAre(null)
      clock.rate = 1
      resumeAll()
      // What a site answered is final under its key.
      const answered = (row: Row): boolean =>
        row.site === true && slugOf(first.get(row) ?? expect.fail(row.name)) === ANSWERS_OF_A_SITE[mood]
      const third = await all(async (row) => await call(row, n, answered(row) ? `${key(row)} again` : key(row)))
      resumeAll()
      for (const row of ROWS) {
        const replies = [first.get(row), second.get(row)].filter((reply) => reply !== undefined)
        for (const [at, reply] of replies.entries()) {
          const complaint = wrong(row, reply, { first: place === 0, mood, names, before: at === 0 ? undefined : replies[0] })
          if (complaint !== null) complaints.push(`${row.name}, call ${String(at + 1)}: ${complaint.slice(0, 1_000)}`)
        }
        const after = third.get(row)
        const unknown = row.acts === true && replies.some(isUnknown)
        const right = unknown ? after !== undefined && slugOf(after) === 'idempotency-conflict' : after?.status === 200
        if (!right) complaints.push(`${row.name}, afterwards: ${after?.text.slice(0, 600) ?? ''}`)
        const ends = new Set(replies.map((reply) => (reply.status === 200 ? '200' : slugOf(reply))))
        table.get(row.name)?.push([...ends].join(' '))
      }
      expect(complaints).to.deep.equal([])
    })

  it('the capabilities of the table are loaded', () => {
    expect([...gateway.app.services.registry().capabilities.keys()]).to.include.members(ROWS.map(({ capability }) => capability))
  })
})

function slugOf(reply: Reply): string {
  return reply.json().error?.type.split('/').at(-1) ?? ''
}

/** Whether the outcome of the call was reported as unknown, free of charge. */
function isUnknown(reply: Reply): boolean {
  const { error } = reply.json()
  const said = /outcome is unknown/.test(error?.alternative_action ?? '') && error?.is_retriable === false
  return said && [502, 504].includes(reply.status) && reply.headers['x-credits-used'] === '0'
}

import { expect } from 'chai'
import type { Reply } from '../../test/support/gateway.js'
import { LostMessages } from '../../test/support/lost-messages.js'
import { expectProblem } from '../../test/support/problem.js'
import { until } from '../../test/support/time.js'

/** Messages with a lost reply. */
const COUNT = Number(process.env.CAPSTAN_LOST_MESSAGES ?? (process.env.CAPSTAN_TEST_LONG === 'all' ? 1_000 : 30))

interface Message {
  readonly id: string
  readonly to: string
}
interface Loss {
  readonly name: string
  /** Possible outcomes for a caller, each with the matching state of the ledger. */
  readonly ends: Readonly<Record<string, 'charged' | 'released'>>
  readonly run: (world: LostMessages, message: Message) => Promise<string>
}

/** The outcome for a caller, in one word. */
function endOf(reply: Reply): string {
  if (reply.status === 200) return 'sent'
  const { error } = reply.json()
  if (error?.is_retriable === true) return `${String(reply.status)}, try again`
  return /outcome is unknown/i.test(`${error?.alternative_action ?? ''} ${error?.detail ?? ''}`) ? 'outcome unknown' : String(reply.status)
}

const UNKNOWN = { 'outcome unknown': 'released' } as const
const vendorFails = (ending: 'cut-before' | 'cut-within', keyed: boolean): Loss['run'] => {
  return async (world, message) => {
    world.vendors.answer = () => ending
    const first = endOf(await world.send(message, keyed))
    world.vendors.answer = () => 'takes'
    if (!keyed) return first
    // Repeating the request has the same outcome, and sends nothing.
    expectProblem(await world.send(message, true), 'idempotency-conflict')
    return first
  }
}

const LOSSES: readonly Loss[] = [
  { name: 'cut before the answer', ends: UNKNOWN, run: vendorFails('cut-before', false) },
  { name: 'cut before the answer, with a key', ends: UNKNOWN, run: vendorFails('cut-before', true) },
  { name: 'cut within the answer', ends: UNKNOWN, run: vendorFails('cut-within', false) },
  { name: 'cut within the answer, with a key', ends: UNKNOWN, run: vendorFails('cut-within', true) },
  {
    name: 'no answer at all',
    ends: UNKNOWN,
    run: async (world, message) => {
      world.vendors.answer = () => 'hangs'
      const reply = world.send(message, false)
      await until(() => world.reached(message.id) === 1, 10_000, 'the request')
      world.pass(10_001)
      return endOf(await reply)
    },
  },
  {
    name: 'the caller leaves after the answer',
    ends: { 'caller was gone': 'charged' },
    run: async (world, message) => {
      await world.sendAndLeave(message, false)
      return 'caller was gone'
    },
  },
  {
    name: 'the caller leaves after the answer, and repeats the request with its key',
    ends: { sent: 'charged' },
    run: async (world, message) => {
      await world.sendAndLeave(message, true)
      return endOf(await world.send(message, true))
    },
  },
  ...(['cut-request', 'cut-reply'] as const).map((fault): Loss => ({
    name: `the charge is lost ${fault === 'cut-request' ? 'before' : 'after'} it was made`,
    ends: { sent: 'charged' },
    run: async (world, message) => {
      let reply: Reply | null = null
      await world.lossy(1, fault, async () => {
        reply = await world.send(message, false)
      })
      return endOf(reply ?? expect.fail('no answer'))
    },
  })),
  {
    name: 'the hold is lost after it was made',
    ends: { sent: 'charged' },
    run: async (world, message) => {
      let reply: Reply | null = null
      await world.lossy(0, 'cut-reply', async () => {
        reply = await world.send(message, false)
      })
      return endOf(reply ?? expect.fail('no answer'))
    },
  },
  ...[false, true].map((keyed): Loss => ({
    name: `the ledger is away from the request to the vendor on${keyed ? ', with a key' : ''}`,
    ends: UNKNOWN,
    run: async (world, message) => {
      world.vendors.answer = () => {
        world.storeIsAway()
        return 'takes'
      }
      const pending = world.send(message, keyed)
      await until(() => world.reached(message.id) === 1, 10_000, 'the request')
      const passing = setInterval(() => world.pass(1_000), 5)
      const reply = await pending.finally(() => {
        clearInterval(passing)
        world.storeIsBack()
      })
      world.vendors.answer = () => 'takes'
      if (keyed) {
        world.pass(200_000)
        expectProblem(await world.send(message, true), 'idempotency-conflict')
      }
      return endOf(reply)
    },
  })),
]

describe('lost replies of messages', function () {
  this.timeout(600_000)
  let world: LostMessages
  before(async () => {
    world = await LostMessages.start()
  })
  after(async () => await world?.close())

  it('every message reached exactly one vendor exactly once, and is charged, released or reported as unknown', async () => {
    const table = new Map(LOSSES.map(({ name }) => [name, new Map<string, number>()]))
    const ids: { loss: Loss; id: string; end: string }[] = []
    for (let count = 0; count < COUNT; count++) {
      const loss = LOSSES[count % LOSSES.length] ?? expect.fail('no loss')
      world.vendors.answer = () => 'takes'
      const message = world.next(`m${String(count % LOSSES.length)}`)
      ids.push({ loss, id: message.id, end: await loss.run(world, message) })
    }
    expect(await world.settle()).to.deep.equal([])
    const books = await world.books()
    const wrong: string[] = []
    for (const { loss, id, end } of ids) {
      const ledger = books.get(id) ?? 'nothing'
      const cells = table.get(loss.name) ?? new Map<string, number>()
      cells.set(`${end}: ${ledger}`, (cells.get(`${end}: ${ledger}`) ?? 0) + 1)
      table.set(loss.name, cells)
      if (world.reached(id) !== 1) wrong.push(`${loss.name}, ${id}: ${String(world.reached(id))} requests`)
      if (loss.ends[end] !== ledger) wrong.push(`${loss.name}, ${id}: the caller saw "${end}", the ledger has ${ledger}`)
    }
    const width = Math.max(...LOSSES.map(({ name }) => name.length))
    for (const [name, cells] of table)
      console.log(`      ${name.padEnd(width)}  ${[...cells].map(([end, count]) => `${String(count)} ${end}`).join(', ')}`)
    expect(wrong).to.deep.equal([])
  })
})

import { expect } from 'chai'
import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import type { Reply } from '../../test/support/gateway.js'
import { german, MessageVendors, type Ending } from '../../test/support/message-world.js'
import { expectProblem } from '../../test/support/problem.js'
import { Served } from '../../test/support/served.js'
import { pause, until } from '../../test/support/time.js'

const ALL = process.env.CAPSTAN_TEST_LONG === 'all'
/** Concurrent messages when their gateway is killed, and the number of kills. */
const EACH = 12
const KILLS = ALL ? 5 : 1

interface Moment {
  readonly name: string
  readonly answer: (place: number) => Ending
  readonly dies: 'received' | 'answered' | 'seen'
}

/**
 * The vendor's answers, and when the gateway is killed: with all requests received, with some answered, with some
 * answers already returned to callers.
 */
const MOMENTS: readonly Moment[] = [
  { name: 'before the answer of the vendor', answer: () => 'hangs', dies: 'received' },
  { name: 'within the answer of the vendor', answer: () => 'stops-within', dies: 'received' },
  { name: 'right after the answer of the vendor', answer: () => 'takes', dies: 'answered' },
  { name: 'after callers have seen some answers', answer: (place) => (place < EACH / 2 ? 'takes' : 'hangs'), dies: 'seen' },
]
const SETTINGS = { CAPSTAN_MESSAGES_PER_ACCOUNT_PER_DAY: '100000', CAPSTAN_MESSAGES_COUNTRY_FACTOR: '0', CAPSTAN_LOG_LEVEL: 'silent' }
/** The limit of the call, 30 s, plus a margin. */
const LOCK_MS = 62_000
const CREDITS = 100_000

interface Message {
  readonly id: string
  readonly to: string
}

describe('a gateway that is killed with messages under way', function () {
  this.timeout(900_000)
  let data: string
  let vendors: MessageVendors
  let gateway: Served
  let caller = { id: '', key: '' }
  let number = 0
  /** Messages with an unknown outcome. */
  const lost: Message[] = []
  before(async () => {
    data = mkdtempSync(join(tmpdir(), 'capstan-killed-'))
    vendors = await MessageVendors.start()
    await start()
    caller = await gateway.account(CREDITS)
  })
  after(async () => {
    await gateway?.end()
    await vendors?.close()
    rmSync(data, { recursive: true, force: true })
  })
  const start = async (): Promise<void> => {
    gateway = new Served({ data, env: { ...vendors.env(), ...SETTINGS, CAPSTAN_PLUGINS: '' } })
    await gateway.line('ready')
  }
  const send = ({ id, to }: Message): Promise<Reply> =>
    gateway.send('/v1/messages/send', { method: 'POST', key: caller.key, body: { to, message: id }, headers: { 'idempotency-key': id } })
  const reached = ({ id }: Message): number => vendors.received.filter(({ text }) => text === id).length
  const balance = async (): Promise<number> =>
    (await gateway.admin('GET', `/admin/v1/accounts/${caller.id}`)).json<{ balance: number }>().balance

  /** Sends all at once and kills the gateway; returns the statuses received by callers, null for a broken connection. */
  const killed = async (messages: readonly Message[], { answer, dies }: Moment): Promise<(number | null)[]> => {
    const counts = { received: 0, answered: 0, seen: 0 }
    vendors.answer = () => answer(counts.received++)
    vendors.onAnswered = () => {
      if (++counts.answered === EACH / 2 && dies === 'answered') gateway.signal('SIGKILL')
    }
    const statuses = messages.map(async (message) => {
      try {
        const { status } = await send(message)
        counts.seen++
        return status
      } catch (error) {
        if (!(error instanceof Error)) throw error
        return null
      }
    })
    if (dies !== 'answered') {
      const wanted = dies === 'seen' ? () => counts.seen === EACH / 2 : () => counts.received === EACH
      await until(wanted, 20_000, `messages ${dies}`)
      gateway.signal('SIGKILL')
    }
    const seen = await Promise.all(statuses)
    await gateway.ended
    await gateway.end()
    vendors.onAnswered = () => undefined
    vendors.answer = () => 'takes'
    return seen
  }

  for (const moment of MOMENTS)
    it(`${moment.name} sends none a second time, and charges those alone that it can give the answer of`, async () => {
      const ends = new Map<string, number>()
      for (let kill = 0; kill < KILLS; kill++) {
        const before = await balance()
        const messages = Array.from({ length: EACH }, () => ({ id: `killed-${String(++number)}`, to: german(number * 7) }))
        const seen = await killed(messages, moment)
        const sent = messages.map(reached)
        await start()
        let charged = 0
        for (const [place, message] of messages.entries()) {
          const reply = await send(message)
          const isNew = sent[place] === 0 && reply.status === 200
          expect(reached(message), `${message.id}: ${reply.text}`).to.equal(isNew ? 1 : sent[place])
          expect(reached(message)).to.be.at.most(1)
          if (reply.status === 200) charged++
          else {
            // Until the lock of the key expires, the gateway that held it may still be running.
            expectProblem(reply, 'idempotency-conflict', { retriable: true })
            lost.push(message)
          }
          if (seen[place] === 200) expect(reply.headers['idempotent-replayed'], 'an answer that was seen is given again').to.equal('true')
          const cell = reply.status === 200 ? (isNew ? 'sent' : 'answered as before') : 'still locked'
          ends.set(cell, (ends.get(cell) ?? 0) + 1)
        }
        expect(before - (await balance()), 'credits').to.equal(charged)
      }
      console.log(`      sent again: ${[...ends].map(([cell, count]) => `${String(count)} ${cell}`).join(', ')}`)
      expect(auditLedger({ file: join(data, 'capstan.db') }).problems).to.deep.equal([])
    })

  if (ALL)
    it('reports the outcome of each of the others as unknown for good, once their locks have ended', async () => {
      await pause(LOCK_MS)
      for (const message of lost) {
        const before = reached(message)
        expectProblem(await send(message), 'idempotency-conflict', { retriable: false })
        expect(reached(message)).to.equal(before)
      }
      console.log(`      ${String(lost.length)} reported as unknown`)
    })
})

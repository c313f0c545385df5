import { expect } from 'chai'
import { Cancel } from '../../../core/runtime/cancel.js'
import { LocalTurns } from '../../../core/limits/vendor-pace.js'
import { vendorFault } from '../../../core/loader/vendor-rules.js'
import { PacedApi } from '../../../core/dispatch/paced-api.js'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { Fault, type Pace } from '../../../core/sdk/index.js'
import { httpServer, type Running } from '../../../core/sdk/testkit/servers.js'
import { accessTo, HandClock, outboundKit } from '../../support/outbound.js'
import { errorOf, settle } from '../../support/unit.js'
import { until } from '../../support/time.js'

describe('vendors with a pace', () => {
  const kit = outboundKit()
  const clock = new HandClock()
  let server: Running
  let came: string[] = []
  let hold = false
  const held: (() => void)[] = []
  before(async () => {
    server = await httpServer((request, response) => {
      came.push(request.url ?? '')
      const answer = (): void => void response.setHeader('content-type', 'application/json').end('{}')
      if (hold) held.push(answer)
      else answer()
    })
  })
  beforeEach(() => {
    came = []
    hold = false
  })
  after(async () => {
    await kit.close()
    await server.close()
  })

  const made = (pace: Pace | undefined) => {
    const api = new PacedApi(kit.api, clock, new LocalTurns(clock))
    const access = accessTo(server.url, pace === undefined ? {} : { pace })
    return (path: string, about: { ms?: number; caller?: string } = {}) => {
      const cancel = new Cancel(clock, clock.monotonic() + (about.ms ?? 8_000), about.caller ?? 'one')
      const work = api.request(access, { path }, cancel, { once: false })
      work.catch(() => undefined)
      return { work, cancel }
    }
  }
  const arrived = async (count: number): Promise<void> => {
    await until(() => came.length >= count)
  }

  it('begin at once while there is room, and then when it is their turn', async () => {
    const request = made({ requests: 2, perMs: 1_000 })
    const all = ['/1', '/2', '/3', '/4', '/5'].map((path) => request(path).work)
    await arrived(2)
    await settle(20)
    expect(came).to.have.members(['/1', '/2'])
    clock.advance(1_000)
    await arrived(4)
    await settle(20)
    clock.advance(1_000)
    await Promise.all(all)
    expect(came.slice(2)).to.deep.equal(['/3', '/4', '/5'])
  })

  for (const [pace, count] of [
    [{ requests: 50, perMs: 540_000 }, 3],
    [{ requests: 50, perMs: 540_000 }, 50],
    [{ requests: 3, perMs: 3_600_000 }, 3],
    [{ requests: 10, perMs: 60_000, concurrent: 10 }, 10],
  ] as const)
    it(`V3 ${String(count)} at once begin at once at a pace of ${String(pace.requests)} in ${String(pace.perMs / 1_000)} s${count < pace.requests ? '' : ', and one more is refused'}`, async () => {
      hold = true
      const request = made(pace)
      const all = Array.from({ length: count }, (_, at) => request(`/${String(at)}`).work)
      await arrived(count)
      hold = false
      for (const answer of held.splice(0)) answer()
      await Promise.all(all)
      if (count < pace.requests) return
      const error = await errorOf(request('/late').work)
      expect(Fault.is(error) && [error.kind, error.retryAfterSeconds]).to.deep.equal(['busy', 60])
      expect(came).to.have.length(count)
    })

  it('without one are called as before', async () => {
    const request = made(undefined)
    await Promise.all(Array.from({ length: 20 }, (_, index) => request(`/${index}`).work))
    expect(came).to.have.length(20)
  })

  it('serve callers in turn, whoever calls most', async () => {
    const request = made({ requests: 1, perMs: 100 })
    const all = [...Array.from({ length: 6 }, (_, index) => request(`/flood-${index}`)), request('/other', { caller: 'two' })]
    for (let turn = 1; turn <= all.length; turn++) {
      await arrived(turn)
      await settle(20)
      clock.advance(100)
    }
    await Promise.all(all.map(({ work }) => work))
    expect(came.indexOf('/other')).to.be.at.most(2)
  })

  it('refuse with busy what would wait for more than half of its time; nothing was sent, nobody is suspended for it', async () => {
    const request = made({ requests: 1, perMs: 5_000 })
    await request('/1').work
    const error = await errorOf(request('/2', { ms: 6_000 }).work)
    expect(Fault.is(error) && { kind: error.kind, unavailable: error.unavailable, ambiguous: error.ambiguous }).to.deep.equal({
      kind: 'busy',
      unavailable: true,
      ambiguous: false,
    })
    expect(Fault.is(error) && error.retryAfterSeconds).to.equal(5)
    expect(problemFrom(error)).to.include({ slug: 'overloaded', status: 503 })
    expect(came).to.deep.equal(['/1'])
  })

  it('leave the queue when their caller leaves, and the next one has the turn', async () => {
    const request = made({ requests: 1, perMs: 1_000 })
    await request('/1').work
    const [left, next] = [request('/left'), request('/next', { ms: 20_000 })]
    await settle(20)
    left.cancel.cancel('client-gone')
    expect((await errorOf(left.work)).message).to.contain('client-gone')
    await settle(20)
    clock.advance(1_000)
    await settle(20)
    clock.advance(1_000)
    await next.work
    expect(came).to.deep.equal(['/1', '/next'])
  })

  it('bound their requests at once', async () => {
    hold = true
    const request = made({ requests: 100, perMs: 1_000, concurrent: 1 })
    const [one, two] = [request('/1'), request('/2')]
    await arrived(1)
    await settle(20)
    clock.advance(50)
    await settle(20)
    expect(came).to.deep.equal(['/1'])
    hold = false
    held.pop()?.()
    await one.work
    await settle(20)
    clock.advance(50)
    await two.work
    expect(came).to.deep.equal(['/1', '/2'])
  })

  it('are refused by the loader when its numbers are none', () => {
    const fault = (pace: Pace): string | null => vendorFault({ id: 'acme', title: 'Acme', baseUrl: 'https://a.example', pace }, true)
    expect(fault({ requests: 5, perMs: 1_000, concurrent: 2 })).to.equal(null)
    for (const pace of [
      { requests: 0, perMs: 1_000 },
      { requests: 1.5, perMs: 1_000 },
      { requests: 1, perMs: 0 },
      { requests: NaN, perMs: 1 },
      { requests: 1, perMs: 1, concurrent: 0 },
      { requests: 100_001, perMs: 1 },
    ])
      expect(fault(pace), JSON.stringify(pace)).to.contain('pace')
  })
})

import { expect } from 'chai'
import { Fault, type LineSocket, type NetServices } from '../../../../core/sdk/index.js'
import { PortWatch } from './port-watch.js'

const LEFT = 4_000
const GMAIL = 'gmail-smtp-in.l.google.com'

describe('emails: a network that closes port 25', () => {
  let now = 0
  let asked: string[] = []
  let outcome: Fault | null = null
  let said: string[] = []
  let greeting: (order: string[]) => Promise<string | null>
  const { signal } = new AbortController()
  const connect = (host: string): Promise<LineSocket> => {
    asked.push(host)
    if (outcome !== null) return Promise.reject(outcome)
    const never = (): never => expect.fail('it is not asked anything')
    const lines: LineSocket = {
      ...{ host, port: 25, resumed: null, readAll: never, startTls: never, keep: never },
      readLine: () => greeting(said),
      write: (text) => Promise.resolve(void said.push(text)),
      close: () => void said.push('closed'),
    }
    return Promise.resolve(lines)
  }
  const never = (): never => expect.fail('only connections are tried')
  const net: NetServices = { dns: never, query: never, tls: never, inspectTls: never, connect }
  const doubtful = (): PortWatch => {
    const watch = new PortWatch(() => now)
    for (const host of ['mx.a.test', 'mx.b.test', 'mx.c.test']) watch.failed(host, LEFT)
    return watch
  }
  const check = (watch: PortWatch): Promise<boolean> => watch.check({ net, signal }, LEFT)

  beforeEach(() => {
    ;[now, asked, said, outcome] = [0, [], [], new Fault('blocked', 'it did not answer', { unavailable: true })]
    greeting = (order) => Promise.resolve(void order.push('greeting')).then(() => '220 mx.example')
  })

  it('silent hosts of one caller alone do not close it: a server that always answers is asked, once', async () => {
    outcome = null
    const watch = doubtful()
    expect([watch.closed, await check(watch), await check(watch)]).to.deep.equal([false, false, false])
    expect(asked).to.deep.equal([GMAIL])
    expect(said, 'V6 QUIT comes after the greeting').to.deep.equal(['greeting', 'QUIT', 'closed'])
  })

  it('V6 a server that is silent, or ends the connection, after it was opened has been reached', async () => {
    for (const greets of [() => Promise.resolve(null), () => Promise.reject(new Fault('blocked', 'silent', { unavailable: true }))]) {
      ;[outcome, greeting] = [null, greets]
      const watch = doubtful()
      expect([await check(watch), watch.closed]).to.deep.equal([false, false])
    }
  })

  it('where that one does not answer either it counts as closed for a minute, and is asked again first', async () => {
    const watch = doubtful()
    expect([await check(watch), await check(watch), watch.closed]).to.deep.equal([true, true, true])
    expect(asked.length).to.equal(1)
    now = 60_000
    expect(watch.closed).to.equal(false)
    expect(await check(watch)).to.equal(true)
    now = 120_000
    outcome = null
    expect(await check(watch)).to.equal(false)
    expect(asked.length).to.equal(3)
  })

  it('it takes three domains in a row, slow ones', async () => {
    const watch = new PortWatch(() => now)
    watch.failed('one.a.test', LEFT)
    watch.failed('two.a.test', LEFT)
    watch.failed('mx.b.test', 900)
    watch.failed('mx.c.test', LEFT)
    expect(await check(watch)).to.equal(false)
    watch.opened()
    watch.failed('mx.d.test', LEFT)
    expect([await check(watch), asked.length]).to.deep.equal([false, 0])
  })

  it('a name that is not known, or too many connections to it, close nothing', async () => {
    for (const kind of ['missing', 'busy'] as const) {
      outcome = new Fault(kind, 'no connection')
      expect(await check(doubtful()), kind).to.equal(false)
    }
  })
})

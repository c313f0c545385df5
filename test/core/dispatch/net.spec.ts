import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { netOf, runWithContext } from '../../../core/dispatch/context.js'
import { outboundSettings } from '../../../core/lifecycle/open-parts.js'
import type { DnsAnswer, LineSocket } from '../../../core/sdk/index.js'
import { configFrom } from '../../support/config.js'
import { smtpServer } from '../../../core/sdk/testkit/smtp-server.js'
import { cancelIn, outboundKit } from '../../support/outbound.js'
import { bench, errorOf } from '../../support/unit.js'
import { until } from '../../support/time.js'

describe('the network beyond HTTP for plugin code', () => {
  it('a connection that a plugin forgets is closed when its work has settled, and none is opened after that', async () => {
    const server = await smtpServer()
    const outbound = outboundKit({ allow: [`127.0.0.1:${server.port}`] })
    const kit = bench({}, { clock: systemClock })
    const call = kit.call()
    const kept: { lines?: LineSocket; again?: () => Promise<unknown> } = {}
    const environment = { ...kit.environment, net: outbound.net }
    const said = await runWithContext(environment, { call, cancel: call.cancel, depth: -1, provider: null }, async (ctx) => {
      kept.lines = await ctx.net.connect('127.0.0.1', server.port)
      kept.again = () => ctx.net.connect('127.0.0.1', server.port)
      return await kept.lines.readLine()
    })
    expect(said).to.equal('220 mx.example ESMTP')
    await until(() => server.open() === 0)
    expect((await errorOf(kept.lines?.write('QUIT') ?? Promise.resolve())).message).to.contain('did not answer in time')
    await errorOf(kept.again?.() ?? Promise.resolve())
    expect(server.connections()).to.equal(1)
    await Promise.all([kit.close(), outbound.close(), server.close()])
  })

  it('answers are typed by the query, and TLS is inspected at 443', async () => {
    const queries: unknown[] = []
    const answer: DnsAnswer<'MX'> = { status: 'NOERROR', records: [], aliases: [], authenticated: false }
    const net = netOf(
      {
        assertPublic: () => Promise.reject(new Error('not called')),
        dns: () => Promise.resolve([]),
        query: (...args) => (queries.push(args.slice(0, 2)), Promise.resolve(answer as never)),
        tls: (...args) => (queries.push(args.slice(0, 2)), Promise.resolve(null as never)),
        inspectTls: (...args) => (queries.push(args.slice(0, 2)), Promise.resolve(null as never)),
        connect: (...args) => (queries.push(args.slice(0, 3)), Promise.resolve(null as never)),
      },
      cancelIn(),
    )
    const { records } = await net.query('a.example', 'MX')
    const hosts: string[] = records.map(({ data }) => data.exchange)
    expect(hosts).to.deep.equal([])
    await net.tls('a.example')
    await net.inspectTls('a.example')
    await net.connect('a.example', 25)
    expect(queries).to.deep.equal([
      ['a.example', 'MX'],
      ['a.example', 443],
      ['a.example', 443],
      ['a.example', 25, {}],
    ])
  })

  it('the settings of name server, WHOIS server and mail port reach it', () => {
    const settings = outboundSettings(
      configFrom({ CAPSTAN_DNS: '127.0.0.1:5353', CAPSTAN_WHOIS: 'whois.local:4343', CAPSTAN_SMTP_PORT: '2525' }),
    )
    expect(settings).to.include({ dns: '127.0.0.1:5353', whois: 'whois.local:4343', smtpPort: 2525 })
    expect(outboundSettings(configFrom())).to.include({ dns: null, whois: null, smtpPort: 25 })
  })
})

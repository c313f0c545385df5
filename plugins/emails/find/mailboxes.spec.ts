import { expect } from 'chai'
import sinon from 'sinon'
import { answerOf, Fault } from '../../../core/sdk/index.js'
import { lineServer } from '../../../core/sdk/testkit/line-servers.js'
import { FindWorld } from '../../../test/support/find-world.js'
import type { MailContext } from '../verify/smtp/probes.js'
import { PortWatch, portWatch } from '../verify/smtp/port-watch.js'
import { askMailboxes } from './mailboxes.js'

const QUESTION = { domain: 'acme.test', hosts: ['mx.acme.test'], locals: ['ada'], left_ms: 1_000 }

describe('emails.find: mailboxes at a server that cannot be connected to', () => {
  const unused = (): never => expect.fail('nothing else is needed')
  let givenBack = 0
  const contextOf = (watch: PortWatch, connect: MailContext['net']['connect']): MailContext => ({
    settings: { ehlo_name: null, mail_from: null, probes_per_account_per_day: 1 },
    net: { dns: unused, query: unused, tls: unused, inspectTls: unused, connect },
    signal: new AbortController().signal,
    use: (resource) => {
      if (resource.id === portWatch.id) return Promise.resolve(answerOf(watch))
      return resource.open({
        ...{ program: unused, launcher: unused, start: unused, proxyUrl: '', folder: unused, log: unused },
        get settings() {
          return unused()
        },
      })
    },
    wait: () => new Promise(() => undefined),
    caps: {
      take: () => Promise.resolve({ most: 1, left: 0, resets_at: '', giveBack: () => Promise.resolve(void givenBack++) }),
      left: unused,
    },
    caller: { account: 'a', key: 'k' },
    requestId: 'r',
  })
  beforeEach(() => (givenBack = 0))

  it('no connection that is free says nothing of the port, and costs no probe', async () => {
    const watch = new PortWatch()
    const opened = sinon.spy(watch, 'opened')
    const found = await askMailboxes(
      QUESTION,
      contextOf(watch, () => Promise.reject(new Fault('busy', 'no place'))),
    )
    expect(found).to.deep.include({ state: 'unknown', sub_status: 'timeout_exceeded' })
    expect([opened.callCount, givenBack]).to.deep.equal([0, 1])
  })

  it('after three silent domains a server that always answers is asked first, and the port counts as closed when it does not', async () => {
    const watch = new PortWatch()
    for (const host of ['mx.a.test', 'mx.b.test', 'mx.c.test']) watch.failed(host, 4_000)
    const asked: string[] = []
    const context = contextOf(watch, (host) => {
      asked.push(host)
      return Promise.reject(new Fault('blocked', 'it did not answer', { unavailable: true }))
    })
    for (const _ of [1, 2])
      expect(await askMailboxes(QUESTION, context)).to.deep.include({ state: 'unknown', sub_status: 'failed_smtp_connection' })
    expect(asked).to.deep.equal(['gmail-smtp-in.l.google.com'])
    expect(givenBack).to.equal(2)
  })
})

describe('emails.find: a connection that an earlier call left open', function () {
  this.timeout(120_000)

  it('is renewed once when the server has enough of it, not again and again', async () => {
    let tired = false
    const mail = await lineServer(
      (line) => {
        if (tired && line.startsWith('MAIL')) return '451 4.3.0 Temporary lookup failure\r\n'
        return line.startsWith('RCPT') ? '550 5.1.1 no such user\r\n' : '250 ok\r\n'
      },
      { onOpen: '220 mx\r\n' },
    )
    const world = await FindWorld.start({ file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n' })
    try {
      await world.domain('tired.test', { mail })
      expect(await world.refused('Ada Lovelace@tired.test')).to.equal('no-result')
      tired = true
      expect(await world.refused('Grace Hopper@tired.test')).to.equal('no-result')
      expect(mail.lines.filter((line) => line.startsWith('MAIL')).length).to.equal(3)
      expect(mail.connections()).to.equal(2)
    } finally {
      await world.close()
    }
  })
})

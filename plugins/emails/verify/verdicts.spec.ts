import { expect } from 'chai'
import { lineServer, type LineServer } from '../../../core/sdk/testkit/line-servers.js'
import { MAIL_CASES, type MailCase } from '../../../test/support/mail-verdicts.js'
import { MailWorld } from '../../../test/support/mail-world.js'

const CRLF = '\r\n'

/** A server that replies to each command as the case says. */
function serverOf(email: string, { rcpt, other, greeting, ehlo, mail }: MailCase): Promise<LineServer> {
  return lineServer(
    (line) => {
      const word = line.split(' ', 1)[0]
      if (word === 'EHLO') return `${ehlo ?? '250-mx.example\r\n250 PIPELINING'}${CRLF}`
      if (word === 'MAIL') return `${mail ?? '250 2.1.0 OK'}${CRLF}`
      if (word === 'RCPT') {
        // Lines are read as Latin-1 here.
        const wanted = Buffer.from(`RCPT TO:<${email}>`).toString('latin1')
        return `${line === wanted ? (rcpt ?? '250 2.1.5 OK') : (other ?? '550 5.1.1 No such user')}${CRLF}`
      }
      return word === 'RSET' ? `250 OK${CRLF}` : word === 'QUIT' ? null : `502 not known${CRLF}`
    },
    { onOpen: `${greeting ?? '220 mx.example ESMTP'}${CRLF}` },
  )
}

describe('emails.verify: verdicts', function () {
  this.timeout(120_000)
  let world: MailWorld

  before(async () => (world = await MailWorld.start({ file: 'plugins:\n  emails:\n    ehlo_name: probe.test\n' })))
  after(() => world?.close())

  it(`${String(MAIL_CASES.length)} addresses and what is said of them`, async function () {
    const wrong: string[] = []
    const said: string[] = []
    for (const [place, each] of MAIL_CASES.entries()) {
      const domain = each.domain ?? `v${String(place)}.test`
      const email = `${each.local ?? 'ada'}@${domain}`
      const server = await serverOf(email, each)
      if (each.zone === undefined) await world.net.domain(domain, server)
      else if (each.zone !== null && Object.keys(each.zone).length === 0) world.net.host(domain, server)
      else if (each.zone !== null) world.net.zones[domain] = { ...each.zone } as Record<string, unknown[]>
      const found = await world.verify(email)
      const verdict = `${found.status} ${String(found.sub_status)}`
      if (verdict !== each.wanted) wrong.push(`${each.what}: ${verdict} instead of ${each.wanted}`)
      said.push(...server.lines)
      if (each.zone !== undefined || each.domain !== undefined) await server.close()
    }
    console.log(
      `      ${String(MAIL_CASES.length)} verdicts, ${String(wrong.length)} wrong${wrong.map((line) => `\n      ${line}`).join('')}`,
    )
    expect(wrong).to.deep.equal([])
    expect(said.filter((line) => /^(?:DATA|BDAT|VRFY|EXPN)\b/i.test(line))).to.deep.equal([])
    expect([...new Set(said.map((line) => line.split(' ', 1)[0]))].sort()).to.deep.equal(['EHLO', 'MAIL', 'QUIT', 'RCPT', 'RSET'])
  })
})

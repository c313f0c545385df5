import { connect } from 'node:net'
import { expect } from 'chai'
import { Fault } from '../../../core/sdk/index.js'
import { corpus, INSIDE_V4, INSIDE_V6 } from '../../support/outbound-corpus.js'
import { cancelIn, faultOf, outboundKit, type OutboundKit } from '../../support/outbound.js'
import { nameServer, type NameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { httpServer, tcpServer, type Running } from '../../../core/sdk/testkit/servers.js'

describe('outbound: the corpus of addresses that lead inside', () => {
  let canary: Running
  let canaries: Running[]
  let names: NameServer
  let redirector: Running
  let kit: OutboundKit
  let forms: string[]
  const hits = (): number => canaries.reduce((sum, one) => sum + one.connections(), 0)

  beforeEach(async () => {
    canary = await tcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncanary'), '0.0.0.0')
    const six = await tcpServer((socket) => socket.end(), '::1', canary.port).catch(() => null)
    canaries = six === null ? [canary] : [canary, six]
    names = await nameServer((name, type) => {
      const [kind, index] = name.split('.')
      if (kind === 'four') return type === 'A' ? [{ type: 'A', name, data: INSIDE_V4[Number(index)] ?? '' }] : []
      if (kind === 'six') return type === 'AAAA' ? [{ type: 'AAAA', name, data: INSIDE_V6[Number(index)] ?? '' }] : []
      if (kind === 'mixed')
        return type === 'A'
          ? [
              { type: 'A', name, data: '93.184.215.14' },
              { type: 'A', name, data: INSIDE_V4[Number(index)] ?? '' },
            ]
          : []
      if (kind === 'half')
        return type === 'A' ? [{ type: 'A', name, data: '93.184.215.14' }] : [{ type: 'AAAA', name, data: INSIDE_V6[Number(index)] ?? '' }]
      return name.startsWith('metadata') && type === 'A' ? [{ type: 'A', name, data: '93.184.215.14' }] : null
    })
    forms = corpus(canary.port)
    redirector = await httpServer((request, response) => {
      const [, kind, code, index] = (request.url ?? '').split('/')
      if (kind !== 'to') return response.end('stayed')
      response.writeHead(Number(code), { location: encodeLocation(forms[Number(index)] ?? ''), connection: 'close' }).end()
    }, '127.0.0.2')
    kit = outboundKit({ allow: [`127.0.0.2:${redirector.port}`], dns: names.address, ports: [canary.port] })
  })

  afterEach(async () => {
    await kit.close()
    await Promise.all([...canaries, redirector].map((server) => server.close()))
    await names.close()
  })

  it('the canary counts what reaches it, so the tests below can fail', async () => {
    const open = outboundKit({ allow: [`127.0.0.1:${canary.port}`] })
    await open.web.get(`http://127.0.0.1:${canary.port}/`, {}, cancelIn())
    await open.close()
    expect(hits()).to.equal(1)
    expect(open.sockets.opened).to.equal(1)
  })

  it('T-15, T-19, T-20 more than 300 forms of inside addresses are refused before a socket is opened', async () => {
    expect(new Set(forms).size).to.be.at.least(300)
    const wrong: string[] = []
    for (const form of forms) {
      const fault = await faultOf(kit.web.get(form, {}, cancelIn()))
      if (fault.kind !== 'blocked' && fault.kind !== 'missing') wrong.push(`${form}: ${fault.kind}`)
    }
    expect(wrong).to.deep.equal([])
    expect({ hits: hits(), opened: kit.sockets.opened }).to.deep.equal({ hits: 0, opened: 0 })
  })

  it('T-18 the same forms behind redirects are refused at the hop', async () => {
    const wrong: string[] = []
    for (const [index, form] of forms.entries()) {
      const code = [301, 302, 303, 307, 308][index % 5] ?? 302
      // A Location such as `http:127.0.0.1` is a relative path for every browser, and stays where it came from.
      const stays = await kit.web.get(`${redirector.url}/to/${code}/${index}`, {}, cancelIn()).then(
        (page) => page.url.startsWith(`${redirector.url}/`),
        (error: unknown) => Fault.is(error) && ['blocked', 'missing'].includes(error.kind),
      )
      if (!stays) wrong.push(form)
    }
    expect(wrong).to.deep.equal([])
    expect(hits()).to.equal(0)
  })

  it('T-16 names that resolve inside, or to a public and an inside address, are refused', async () => {
    const inside = [
      ...INSIDE_V4.flatMap((_, index) => [`four.${index}.example`, `mixed.${index}.example`]),
      ...INSIDE_V6.flatMap((_, index) => [`six.${index}.example`, `half.${index}.example`]),
    ]
    for (const name of inside) {
      const fault = await faultOf(kit.web.get(`http://${name}:${canary.port}/`, {}, cancelIn()))
      expect(`${name} ${fault.kind} ${fault.message}`).to.equal(`${name} blocked the address is not public`)
    }
    expect({ hits: hits(), opened: kit.sockets.opened }).to.deep.equal({ hits: 0, opened: 0 })
  })

  it('T-19 names of metadata services are refused whatever they resolve to', async () => {
    for (const name of ['metadata', 'metadata.google.internal', 'METADATA.google.internal.', 'metadata.azure.com']) {
      expect((await faultOf(kit.web.get(`http://${name}:${canary.port}/`, {}, cancelIn()))).message, name).to.equal(
        'the address is not public',
      )
    }
    expect(kit.sockets.opened).to.equal(0)
  })

  it('T-15 the guard proxy refuses the corpus through GET and through CONNECT', async () => {
    const proxyPort = await kit.proxyPort()
    const wrong: string[] = []
    for (const form of forms) {
      const target = form.replace(/\s/g, '')
      if (target === '' || /[^\x21-\x7e]/.test(target)) continue
      const host = /^[a-z]+:\/\/([^/?#\\]+)/i.exec(target)?.[1] ?? target
      for (const line of [`GET ${target} HTTP/1.1`, `CONNECT ${host} HTTP/1.1`]) {
        const answer = await firstLine(proxyPort, `${line}\r\nhost: x\r\n\r\n`)
        if (!/^HTTP\/1\.1 (400|403|502)|^$/.test(answer)) wrong.push(`${line}: ${answer}`)
      }
    }
    expect(wrong).to.deep.equal([])
    expect({ hits: hits(), opened: kit.sockets.opened }).to.deep.equal({ hits: 0, opened: 0 })
  })
})

describe('outbound: rebinding names', () => {
  it('T-17 a name that flips between lookups is resolved once for a connection, and its second answer is checked again', async () => {
    const canary = await tcpServer((socket) => socket.end(), '127.0.0.1')
    const good = await httpServer(
      (_request, response) => response.writeHead(302, { location: '/again', connection: 'close' }).end(),
      '127.0.0.2',
      canary.port,
    )
    let lookups = 0
    const names = await nameServer((name, type) =>
      type === 'A' ? [{ type: 'A', name, ttl: 0, data: lookups++ === 0 ? '127.0.0.2' : '127.0.0.1' }] : [],
    )
    const kit = outboundKit({ allow: ['127.0.0.2'], dns: names.address, ports: [canary.port] })
    const fault = await faultOf(kit.web.get(`http://flip.example:${canary.port}/`, {}, cancelIn()))
    expect(fault.kind).to.equal('blocked')
    expect(good.connections()).to.equal(1)
    expect(canary.connections()).to.equal(0)
    expect(lookups).to.equal(2)
    await kit.close()
    await Promise.all([canary.close(), good.close(), names.close()])
  })

  it('T-17 within one connection the name is resolved once, also when several addresses are tried', async () => {
    const good = await httpServer((_request, response) => response.end('good'), '127.0.0.2')
    const names = await nameServer((name, type) =>
      type === 'A' ? ['127.0.0.3', '127.0.0.2'].map((data) => ({ type: 'A' as const, name, data })) : [],
    )
    const kit = outboundKit({ allow: [`127.0.0.2:${good.port}`, `127.0.0.3:${good.port}`], dns: names.address })
    const page = await kit.web.get(`http://two.example:${good.port}/`, {}, cancelIn())
    expect(Buffer.from(page.bytes).toString()).to.equal('good')
    expect(names.questions.sort()).to.deep.equal(['A two.example', 'AAAA two.example'])
    await kit.close()
    await Promise.all([good.close(), names.close()])
  })
})

function encodeLocation(form: string): string {
  return form.replace(/[\r\n]/g, '').replace(/[^\t -~]/g, (sign) => encodeURIComponent(sign))
}

function firstLine(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.includes('\r\n')) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''))
  })
}

import { createServer, type TlsOptions, type TLSSocket } from 'node:tls'
import { expect } from 'chai'
import { inspectTls } from '../../../core/outbound/tls-inspection.js'
import { issued, selfSigned } from '../../../core/sdk/testkit/certificates.js'
import { cancelIn, faultOf, outboundKit } from '../../support/outbound.js'
import { nameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { tcpServer } from '../../../core/sdk/testkit/servers.js'
import { until } from '../../support/time.js'

const OLD: TlsOptions = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }

/** A TLS server on loopback with a certificate; `stapled` is what it sends as OCSP answer. */
async function tlsServer(options: TlsOptions, stapled: Buffer | null = null) {
  const server = createServer(options, (socket: TLSSocket) => void socket.on('error', () => undefined))
  let connections = 0
  server.on('tlsClientError', () => undefined).on('connection', () => connections++)
  if (stapled !== null)
    server.on('OCSPRequest', (_certificate: Buffer, _issuer: Buffer, done: (error: Error | null, answer: Buffer) => void) =>
      done(null, stapled),
    )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { port, connections: () => connections, close: () => new Promise((resolve) => server.close(resolve)) }
}

async function inspected(options: TlsOptions, stapled?: Buffer) {
  const server = await tlsServer(options, stapled)
  const names = await nameServer((name, type) => (type === 'A' ? [{ type: 'A', name, data: '127.0.0.1' }] : []))
  const kit = outboundKit({ allow: [`127.0.0.1:${server.port}`], dns: names.address })
  try {
    return await kit.net.inspectTls('known.example', server.port, cancelIn())
  } finally {
    await kit.close()
    await names.close()
    await server.close()
  }
}

describe('outbound: what a TLS server takes', function () {
  const chain = issued()
  const weak = issued({ weak: true })
  const alone = selfSigned()
  if (chain === null || weak === null || alone === null) return

  it('versions, the choice of a client of today, and the whole chain', async () => {
    const found = await inspected({ ...chain, ALPNProtocols: ['h2'] }, Buffer.from('answer'))
    expect(found.versions).to.deep.equal({ TLSv1: 'refused', 'TLSv1.1': 'refused', 'TLSv1.2': 'accepted', 'TLSv1.3': 'accepted' })
    expect(found).to.deep.include({
      protocol: 'TLSv1.3',
      alpn: 'h2',
      ocspStapled: true,
      trusted: false,
      reason: 'SELF_SIGNED_CERT_IN_CHAIN',
    })
    expect(found.cipher).to.match(/^TLS_/)
    expect(found.chain.map(({ subject }) => subject)).to.deep.equal([{ CN: 'known.example' }, { CN: 'Test root' }])
    expect(found.chain[0]).to.deep.include({
      issuer: { CN: 'Test root' },
      names: ['known.example', 'www.known.example'],
      serialNumber: '1234',
      keyType: 'ec',
      keyBits: 256,
    })
    expect(found.chain[0]?.fingerprint).to.match(/^[0-9a-f]{64}$/)
  })

  it('old versions are found where they are served, without ALPN and stapling none is reported', async () => {
    const found = await inspected({ ...alone, ...OLD, maxVersion: 'TLSv1.2' })
    expect(found.versions).to.deep.equal({ TLSv1: 'accepted', 'TLSv1.1': 'accepted', 'TLSv1.2': 'accepted', 'TLSv1.3': 'refused' })
    expect(found).to.deep.include({ protocol: 'TLSv1.2', alpn: null, ocspStapled: false, reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(found.chain).to.have.length(1)
  })

  it('what only an old client takes is shown, and never trusted', async () => {
    const found = await inspected({ ...alone, ...OLD, maxVersion: 'TLSv1' })
    expect(found.versions).to.deep.equal({ TLSv1: 'accepted', 'TLSv1.1': 'refused', 'TLSv1.2': 'refused', 'TLSv1.3': 'refused' })
    expect(found).to.deep.include({ protocol: 'TLSv1', trusted: false })
    expect(found.reason).to.match(/^ERR_SSL_/)
    expect(found.chain).to.have.length(1)
  })

  it('a key that is too weak for a client of today is not trusted, although its root is', async () => {
    const server = await tlsServer({ ...weak, ...OLD })
    const kit = outboundKit({ allow: ['127.0.0.1'] })
    const dial = () => kit.dialer.dial({ host: '127.0.0.1', port: server.port, trust: 'web' })
    const found = await inspectTls('known.example', dial, cancelIn(), weak.root)
    expect(found.trusted).to.equal(false)
    expect(found.chain[0]).to.deep.include({ keyType: 'rsa', keyBits: 768 })
    await server.close()
    const good = await tlsServer({ ...chain })
    const dialGood = () => kit.dialer.dial({ host: '127.0.0.1', port: good.port, trust: 'web' })
    expect(await inspectTls('known.example', dialGood, cancelIn(), chain.root)).to.deep.include({ trusted: true, reason: null })
    await kit.close()
    await good.close()
  })

  it('a server without TLS is blocked, silence ends with the call, inside addresses and other ports are refused', async () => {
    const plain = await tcpServer((socket) => void socket.end('220 hello\r\n'))
    const silent = await tcpServer((socket) => void socket.resume())
    const kit = outboundKit({ allow: [`127.0.0.1:${plain.port}`, `127.0.0.1:${silent.port}`] })
    expect((await faultOf(kit.net.inspectTls('127.0.0.1', plain.port, cancelIn()))).message).to.contain('does not support TLS')
    expect(plain.connections()).to.equal(2)
    const cancel = cancelIn()
    const inspecting = faultOf(kit.net.inspectTls('127.0.0.1', silent.port, cancel))
    await until(() => silent.connections() !== 0)
    cancel.cancel('client-gone')
    expect((await inspecting).message).to.equal('the fetch was stopped')
    await until(() => silent.open() === 0)
    expect((await faultOf(kit.net.inspectTls('10.0.0.1', 443, cancelIn()))).message).to.equal('the address is not public')
    expect((await faultOf(kit.net.inspectTls('93.184.215.14', 22, cancelIn()))).message).to.contain('port 22')
    await Promise.all([kit.close(), plain.close(), silent.close()])
  })
})

import { expect } from 'chai'
import type { Registry } from '../../../core/loader/types.js'
import { zoneServer } from '../../../core/sdk/testkit/dns-zones.js'
import { tcpServer } from '../../../core/sdk/testkit/servers.js'
import { smtpServer } from '../../../core/sdk/testkit/smtp-server.js'
import { smtp } from '../../../plugins/_vendors/smtp.js'
import { cliBench } from '../../support/cli.js'

const HOST = 'mx.example'
const provider = (state: string, closingLine?: string) => ({
  vendor: {
    id: 'mail',
    title: 'Mail',
    reaches: { host: HOST, port: 25, otherwise: 'addresses are not verified', ...(closingLine === undefined ? {} : { closingLine }) },
  },
  kind: 'local',
  state,
  reason: null,
  settings: [],
  optedOut: false,
})
const registry = (state: string, closingLine?: string) =>
  ({
    ports: new Map([
      ['emails', { port: { id: 'emails' }, providers: [provider(state, closingLine)], all: [provider(state, closingLine)] }],
    ]),
    capabilities: new Map(),
    plugins: [],
    contributions: [],
    vendors: [],
    liveness: () => ({ live: true, reason: null }),
    dispose: () => Promise.resolve(),
  }) as unknown as Registry

describe('capstan doctor: ports that vendors depend on', () => {
  const found = async (
    port: number,
    { address = '127.0.0.1', state = 'live', closingLine }: { address?: string; state?: string; closingLine?: string } = {},
  ) => {
    const names = await zoneServer({ [HOST]: { A: [address] } })
    const bench = cliBench({
      parts: {
        registry: () => Promise.resolve(registry(state, closingLine)),
        probes: () => Promise.resolve(new Map()),
        sandbox: () => Promise.resolve({ live: true, detail: '', checks: [] }),
      },
      env: { CAPSTAN_DNS: names.address, CAPSTAN_ALLOW_PRIVATE: '127.0.0.1', CAPSTAN_SMTP_PORT: String(port) },
    })
    try {
      const { code, json } = await bench.run('doctor', '--json')
      expect(code).to.equal(0)
      return (json() as { checks: { name: string; ok: boolean; detail: string }[] }).checks.find(({ name }) => name.startsWith('port'))
    } finally {
      bench.done()
      await names.close()
    }
  }

  it('one that is open', async () => {
    const server = await tcpServer(() => undefined)
    expect(await found(server.port)).to.deep.equal({ name: 'port 25', ok: true, detail: 'open to mx.example' })
    expect(server.connections()).to.equal(1)
    await server.close()
  })

  it('V6 ends the conversation with the closing line, behind the greeting, and lets the server close the connection', async () => {
    const server = await smtpServer({ greeting: '220-mx.example\r\n220 ready\r\n' })
    expect(await found(server.port, { closingLine: 'QUIT' })).to.deep.equal({ name: 'port 25', ok: true, detail: 'open to mx.example' })
    expect(server.lines).to.deep.equal(['QUIT'])
    await server.close()
    expect(smtp.reaches).to.include({ port: 25, closingLine: 'QUIT' })
  })

  it('V6 sends nothing to a server that breaks off instead of greeting, and the port is open all the same', async () => {
    const server = await tcpServer((socket) => socket.destroy())
    expect(await found(server.port, { closingLine: 'QUIT' })).to.include({ ok: true })
    await server.close()
  })

  it('one that is closed, what that means, and that it is no reason not to start', async () => {
    const server = await tcpServer(() => undefined)
    await server.close()
    expect(await found(server.port)).to.deep.equal({
      name: 'port 25',
      ok: false,
      detail: 'closed to mx.example (the address refused the connection): addresses are not verified',
    })
  })

  it('nobody is connected to for a vendor that is not live, nor at an address that is not public', async () => {
    const server = await tcpServer(() => undefined)
    expect(await found(server.port, { state: 'dormant' })).to.equal(undefined)
    expect(await found(server.port, { address: '10.0.0.1' })).to.include({ ok: false })
    expect(server.connections()).to.equal(0)
    await server.close()
  })
})

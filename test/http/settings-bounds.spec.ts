import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../core/config/load.js'
import { openListeners } from '../../core/http/listeners.js'
import { packageRoot } from '../../core/runtime/root.js'
import { Type } from '../../core/sdk/index.js'
import { needs } from '../support/exec-sandbox.js'
import { startGateway, type GatewayOptions, type TestGateway } from '../support/gateway.js'
import { GuestPlugins } from '../support/guest-plugin.js'
import { expectProblem } from '../support/problem.js'
import { echo, handle } from '../support/test-plugin.js'
import { form, part, upload, uploadedFile } from '../support/upload.js'

const ECHO = '/v1/test/echo'
const MIB = 1_048_576

describe('settings of what a gateway keeps and lets in are in force', () => {
  const open: TestGateway[] = []
  afterEach(async () => {
    for (const gateway of open.splice(0)) await gateway.close()
  })
  const start = async (options: GatewayOptions): Promise<TestGateway> => {
    const gateway = await startGateway(options)
    open.push(gateway)
    return gateway
  }

  it('limits.keys: how many active keys an account has', async () => {
    const gateway = await start({ env: { CAPSTAN_LIMIT_KEYS: '3' } })
    const make = () => gateway.admin('POST', '/admin/v1/accounts/default/keys', {})
    const made = [await make(), await make()]
    expect(made.map(({ status }) => status)).to.deep.equal([200, 200])
    const refused = await make()
    expect(refused.status, refused.text).to.equal(422)
    expect(refused.text).to.contain('limits.keys')
    const { id } = made[0]?.json<{ id: string }>() ?? expect.fail('no key')
    expect((await gateway.admin('DELETE', `/admin/v1/accounts/default/keys/${id}`)).status).to.equal(200)
    expect((await make()).status).to.equal(200)
  })

  it('limits.cache: how much of what calls share is kept', async () => {
    const loads: string[] = []
    const shape = Type.Object({ text: Type.String() })
    const handler = handle(echo, async ({ text }, context) => {
      const { text: kept } = await context.cache.get(text, { shape, seconds: 3_600 }, () => {
        loads.push(text)
        return Promise.resolve({ text: 'x'.repeat(200_000) })
      })
      return { text: String(kept.length) }
    })
    const startWith = async (limit: number): Promise<string> => {
      loads.length = 0
      const gateway = await start({ script: { handler }, env: { CAPSTAN_LIMIT_CACHE: String(limit) } })
      for (const text of ['a', 'b', 'c', 'a']) expect((await gateway.post(ECHO, { text })).status).to.equal(200)
      return loads.join('')
    }
    // A value takes some 400,000 bytes: two of them fit into a mebibyte, all three into two.
    expect(await startWith(MIB)).to.equal('abca')
    expect(await startWith(2 * MIB)).to.equal('abc')
  })

  it('server.public_url: the address in links and descriptions', async () => {
    const gateway = await start({ env: { CAPSTAN_PUBLIC_URL: 'https://api.example.com/capstan' } })
    gateway.app.setPublicUrl('http://127.0.0.1:1')
    const { file_url } = uploadedFile(await upload(gateway, form(part('hello'))))
    expect(file_url).to.match(/^https:\/\/api\.example\.com\/capstan\/files\//)
    const { servers } = (await gateway.get('/v1/openapi.json')).json<{ servers: { url: string }[] }>()
    expect(servers.map(({ url }) => url)).to.deep.equal(['https://api.example.com/capstan'])
  })

  it('limits.address_connections: how many connections one address may hold', async () => {
    const data = await mkdtemp(join(tmpdir(), 'capstan-connections-'))
    const env = { CAPSTAN_DATA: data, CAPSTAN_PORT: '0', CAPSTAN_LIMIT_ADDRESS_CONNECTIONS: '2' }
    const { settings } = loadConfig({ file: null, env, root: packageRoot() })
    const answer = (_request: unknown, response: { end: (text: string) => void }) => response.end('hi')
    const handlers = { listener: answer, adminListener: answer, ownerListener: answer }
    const listeners = await openListeners(settings, handlers, { publicUrl: () => '', log: () => undefined })
    const sockets: Socket[] = []
    const dial = async (): Promise<Socket> => {
      const socket = connect(Number(new URL(listeners.url).port), '127.0.0.1').on('error', () => undefined)
      sockets.push(socket)
      await once(socket, 'connect')
      return socket
    }
    const answered = async (socket: Socket): Promise<boolean> => {
      const first = Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)])
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      return await first
    }
    try {
      const [one, two] = [await dial(), await dial()]
      expect([await answered(one), await answered(two)]).to.deep.equal([true, true])
      expect(await answered(await dial())).to.equal(false)
    } finally {
      for (const socket of sockets) socket.destroy()
      listeners.close()
      await rm(data, { recursive: true, force: true })
    }
  })

  it('sandbox.without_groups: whether programs whose memory nothing bounds run beside a second account', async function () {
    needs(this, 'bwrap')
    const guests = new GuestPlugins()
    guests.write({
      name: 'words',
      providers: {
        unbounded: {
          head: "const unbounded = vendor({ id: 'unbounded', title: 'Unbounded', programs: { echo: 'coreutils' }, memoryUnbounded: () => 'in this test' })",
          run: "async ({ text }, ctx) => ({ text: Buffer.from((await ctx.exec('echo', [text], { isolation: 'external' })).stdout).toString() })",
          more: 'vendor: unbounded',
        },
      },
    })
    try {
      const beside = async (value: string) => {
        const file = `sandbox:\n  without_groups: ${value}\nplugins: ['${guests.folder}']\n`
        const gateway = await start({ bundled: true, file })
        await gateway.newAccount(10)
        return await gateway.post('/v1/words', { text: 'beside' })
      }
      expect((await beside('allow')).json().data).to.deep.equal({ text: 'beside\n' })
      expectProblem(await beside('one-account'), 'capability-unavailable')
    } finally {
      guests.remove()
    }
  }).timeout(60_000)
})

import { expect } from 'chai'
import { CallContext } from '../../../core/dispatch/context.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { resourceHosts } from '../../../core/dispatch/resources.js'
import { existsSync } from 'node:fs'
import { provider, Type, vendor, type ExecOptions, type FileInfo } from '../../../core/sdk/index.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { outboundKit } from '../../support/outbound.js'
import { echo, Fault, loadedProvider } from '../../support/test-plugin.js'
import { bench, errorOf, type BenchOptions } from '../../support/unit.js'

const tool = vendor({ id: 'tool', title: 'Tool', programs: { must: 'must-package' }, optionalPrograms: { may: 'may-package' } })

function context(options: BenchOptions = {}, baseUrl?: string) {
  const kit = bench({}, { clock: systemClock, ...options })
  const call = kit.call()
  const loaded = loadedProvider(
    provider(echo, { vendor: tool, run: () => Promise.resolve(null) }),
    baseUrl === undefined ? {} : { baseUrl },
  )
  return {
    kit,
    call,
    of: new CallContext(kit.environment, { call, cancel: call.cancel, depth: 0 }, loaded),
    handler: new CallContext(kit.environment, { call, cancel: call.cancel, depth: -1 }, null),
  }
}

describe('the context of plugin code', () => {
  it('runs programs the vendor declared, and says which package an optional one is missing', async () => {
    const ran: string[] = []
    const { of } = context({ sandbox: { run: (program) => (ran.push(program), Promise.resolve({} as never)) } })
    await of.exec('must', [])
    expect(ran).to.deep.equal(['must'])
    expect(() => of.exec('rm', [])).to.throw(TypeError, '"rm" without declaring')
    try {
      await of.exec('may', [])
      expect.fail('ran')
    } catch (error) {
      expect(Fault.is(error) && error.kind).to.equal('missing')
      expect(String(error)).to.contain('may-package')
    }
  })

  it('passes to the sandbox that nothing bounds the memory in the isolation of a vendor, and not for other programs', async () => {
    const unbounded: (boolean | undefined)[] = []
    const { kit, call } = context({
      sandbox: { run: (_program, _args, how) => (unbounded.push(how.memoryUnbounded), Promise.resolve({} as never)) },
    })
    const run = async (reason: string | null, options: ExecOptions): Promise<void> => {
      const own = loadedProvider(provider(echo, { vendor: { ...tool, memoryUnbounded: () => reason }, run: () => Promise.resolve(null) }))
      await new CallContext(kit.environment, { call, cancel: call.cancel, depth: 0 }, own).exec('must', [], options)
    }
    await run('nothing bounds it', { isolation: 'external' })
    await run(null, { isolation: 'external' })
    await run('nothing bounds it', {})
    expect(unbounded).to.deep.equal([true, false, false])
  })

  it('A14 notes work that was ended at its limit of time or memory, whatever the plugin makes of it', async () => {
    const reading = (error: Error) => ({ workers: { run: () => Promise.reject(error) }, sandbox: { parse: () => Promise.reject(error) } })
    const ended = (stopped: string | null) => ({ sandbox: { run: () => Promise.resolve({ code: 1, stopped } as never) } })
    const noted: boolean[] = []
    for (const options of [ended('time'), ended('memory'), ended('output'), ended(null)]) {
      const { of, call } = context(options)
      await of.exec('must', [])
      noted.push(call.costly)
    }
    const url = new URL('file:///module.js')
    for (const costly of [true, false]) {
      const { of, call } = context(reading(new Fault('blocked', 'too long', { costly })))
      await errorOf(of.work(url, null))
      const { of: other, call: second } = context(reading(new Fault('blocked', 'too long', { costly })))
      await errorOf(other.parse(url, new Uint8Array()))
      noted.push(call.costly, second.costly)
    }
    expect(noted).to.deep.equal([true, true, false, false, true, true, false, false])
  })

  it("T-67 gives secrets and the vendor's api to providers only", async () => {
    const { of, handler } = context({}, 'http://127.0.0.1:1')
    expect(of.secret('api_key')).to.equal('secret-api_key')
    expect(of.settings).to.deep.equal({})
    expect(of.baseUrl).to.equal('http://127.0.0.1:1')
    expect(() => handler.secret('api_key')).to.throw(TypeError, 'belongs to providers')
    expect(handler.settings).to.deep.equal({})
    expect(() => handler.baseUrl).to.throw(TypeError)
    expect(await errorOf((async () => handler.api.text({ path: '/' }))())).to.be.instanceOf(TypeError)
  })

  it('reads vendor replies as checked JSON, text and bytes', async () => {
    const server = await httpServer((request, response) => {
      response.setHeader('content-type', request.url === '/page' ? 'Text/HTML; charset="ISO-8859-1"' : 'application/json')
      response.end(request.url === '/page' ? 'caf\u00e9' : '{"n":1}')
    })
    const { kit, of } = context({}, server.url)
    expect(await of.api.json({ path: '/json' }, Type.Object({ n: Type.Integer() }))).to.deep.equal({ n: 1 })
    const violation = await errorOf(of.api.json({ path: '/json' }, Type.Object({ m: Type.String() })))
    expect(Fault.is(violation) && violation.kind).to.equal('broken')
    expect(await of.api.text({ path: '/json' })).to.equal('{"n":1}')
    expect(await of.api.bytes({ path: '/page' })).to.deep.include({
      contentType: 'text/html',
      charset: 'iso-8859-1',
      status: 200,
      url: `${server.url}/page`,
    })
    await kit.close()
    await server.close()
  })

  it('leaves the body of an error page at once: its connection and its place are free for others', async () => {
    let closedOf: () => void = () => undefined
    const closed = new Promise<void>((resolve) => void (closedOf = resolve))
    const server = await httpServer((_request, response) => void response.on('close', closedOf).writeHead(404).write('begin'))
    const outbound = outboundKit({ allow: ['127.0.0.1'] })
    const { kit, call } = context()
    const of = new CallContext({ ...kit.environment, web: outbound.web }, { call, cancel: call.cancel, depth: -1 }, null)
    expect(Fault.is(await errorOf(of.files.fetch(server.url, { name: 'a.png' })))).to.equal(true)
    await closed
    await outbound.close()
    await kit.close()
    await server.close()
  }).timeout(2_000)

  it("stores a foreign file with the type its server says, on the caller's account, and refuses an error page", async () => {
    const server = await httpServer(
      (request, response) =>
        void response
          .writeHead(request.url === '/gone' ? 404 : request.url === '/no' ? 403 : 200, { 'content-type': 'image/png' })
          .end('bytes'),
    )
    const outbound = outboundKit({ allow: ['127.0.0.1'] })
    const puts: unknown[] = []
    const files = {
      put: async (account: string, data: Uint8Array | AsyncIterable<Uint8Array>, about: FileInfo) => {
        const chunks = []
        for await (const chunk of data instanceof Uint8Array ? [data] : data) chunks.push(chunk)
        puts.push([account, Buffer.concat(chunks).toString(), about])
        return {} as never
      },
    }
    const { kit, call } = context({ files })
    const of = new CallContext({ ...kit.environment, web: outbound.web }, { call, cancel: call.cancel, depth: -1 }, null)
    await of.files.fetch(`${server.url}/ok`, { name: 'a.png' })
    expect(puts).to.deep.equal([['acc', 'bytes', { contentType: 'image/png', name: 'a.png' }]])
    for (const [path, kind] of [
      ['/gone', 'missing'],
      ['/no', 'blocked'],
    ]) {
      const error = await errorOf(of.files.fetch(server.url + String(path), { name: 'a.png' }))
      expect(Fault.is(error) && error.kind).to.equal(kind)
    }
    expect(puts).to.have.length(1)
    await Promise.all([kit.close(), outbound.close(), server.close()])
  })

  it('passes notes, progress, time and the stop signal on', () => {
    const { call, of } = context()
    const steps: unknown[] = []
    of.progress('nobody listens')
    call.onProgress = (progress) => void steps.push(progress)
    of.progress('half', 'detail', 1, 2)
    of.note('once')
    of.note('once')
    expect(steps).to.deep.equal([{ step: 'half', detail: 'detail', done: 1, total: 2 }])
    expect(call.notes).to.deep.equal(['once'])
    expect(of.requestId).to.equal('req_1')
    expect(of.timeLeft()).to.be.within(4_000, 5_000)
    expect(of.signal.aborted).to.equal(false)
    call.cancel.cancel('client-gone')
    expect(of.signal.aborted).to.equal(true)
  })

  it('gives a resource folders of its own that are gone after it', async () => {
    const { kit } = context()
    const logs: unknown[] = []
    const { host, cleanUp } = resourceHosts({
      sandbox: kit.environment.sandbox,
      log: (_level, message, fields) => void logs.push([message, fields]),
    })('big/Browser', { pages: 3 })
    const folder = await host.folder()
    expect(existsSync(folder)).to.equal(true)
    expect(host.settings).to.deep.equal({ pages: 3 })
    expect(host.proxyUrl).to.equal('http://127.0.0.1:3128')
    host.log('opened', { n: 1 })
    expect(logs).to.deep.equal([['opened', { n: 1, resource: 'big/Browser' }]])
    await cleanUp()
    expect(existsSync(folder)).to.equal(false)
  })
})

import { expect } from 'chai'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { cliBench, type CliBench } from '../../support/cli.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import type { PluginFolder } from '../../support/loader.js'
import { lookPlugin } from '../../support/look-plugin.js'

describe('capstan run with a file of this machine', () => {
  let plugins: PluginFolder
  let gateway: TestGateway
  let bench: CliBench
  before(async () => {
    plugins = await lookPlugin()
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: plugins.path, CAPSTAN_LIMIT_UPLOAD: '2MiB' } })
  })
  after(async () => {
    await gateway.close()
    await plugins.remove()
  })
  beforeEach(() => (bench = cliBench({ tty: true, env: { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: gateway.key } })))
  afterEach(() => bench.done())
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(bench.folder, name), content)

  it('uploads it and gives the capability its link, with its progress on standard error', async () => {
    write('a "b".pdf', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1_500_000)]))
    const { code, out, err } = await bench.run('run', 'look', 'file_url=@a "b".pdf')
    expect(code, err).to.equal(0)
    expect(out).to.contain('size: 1500009').and.contain('application/pdf')
    expect(err).to.match(/uploading file_url.* 100 % of 1\.5 MB/)
  })

  it('also for a parameter called url', async () => {
    write('page.html', '<!DOCTYPE html><title>My page</title><p>Some words of a page of mine.</p>')
    const { code, out, err } = await bench.run('run', 'scrape', 'url=@page.html', 'mode=fast')
    expect(code, err).to.equal(0)
    expect(out).to.contain('Some words of a page of mine.')
  })

  for (const [word, says] of [
    ['file_url=@absent.pdf', 'absent.pdf'],
    ['file_url=@folder', 'is a folder'],
    ['file_url=@empty', 'is empty'],
    ['file_url=a.txt', 'file_url=@a.txt uploads it'],
    ['wrong_url=@a.txt', 'there is no parameter wrong_url'],
  ] as const)
    it(`${word} is wrong usage, in one line, and nothing is sent`, async () => {
      mkdirSync(join(bench.folder, 'folder'))
      write('empty', '')
      write('a.txt', 'a')
      const { code, err, out } = await bench.run('run', 'look', word)
      expect({ code, out }).to.deep.equal({ code: 2, out: '' })
      expect(err)
        .to.contain(says)
        .and.match(/^[^\n]+\n$/)
      expect(await gateway.app.services.store.artifacts.used('default')).to.be.below(2_000_000)
    })

  it('that the gateway finds too large fails with its limit', async () => {
    write('large', Buffer.alloc(5 * 1024 * 1024))
    const { code, err } = await bench.run('run', 'look', 'file_url=@large')
    expect(code).to.equal(2)
    expect(err).to.contain('(413)').and.contain('limits.upload')
  })

  it('with a wrong key fails with what the gateway says of it', async () => {
    write('a.txt', Buffer.alloc(1_000_000))
    const wrong = cliBench({ env: { CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: 'cap_wrong' } })
    const { code, err } = await wrong.run('run', 'look', `file_url=@${join(bench.folder, 'a.txt')}`)
    wrong.done()
    expect(code).to.equal(3)
    expect(err).to.contain('(401)')
  })

  it('says of a gateway without uploads that it takes none', async () => {
    const tools = { capabilities: [{ id: 'look', path: '/v1/look', input: { properties: { file_url: { type: 'string' } } } }] }
    const old: Server = createServer((request, response) => {
      request.resume().on('end', () => {
        const known = request.url?.startsWith('/v1/tools') === true
        response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(known ? tools : {}))
      })
    })
    await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve))
    write('a.txt', 'a')
    const other = cliBench({ env: { CAPSTAN_URL: `http://127.0.0.1:${(old.address() as AddressInfo).port}`, CAPSTAN_API_KEY: 'cap_x' } })
    const { code, err } = await other.run('run', 'look', `file_url=@${join(bench.folder, 'a.txt')}`)
    other.done()
    old.closeAllConnections()
    old.close()
    expect(code).to.equal(1)
    expect(err).to.contain('does not accept uploads (404)')
  })

  it('is shown by an example in --help', async () => {
    const { out } = await bench.run('run', '--help')
    expect(out).to.contain('url=@page.html')
  })
})

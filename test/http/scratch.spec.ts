import { expect } from 'chai'
import { tmpdir } from 'node:os'
import { noCallFiles } from '../support/call-files.js'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { TemporaryFolder } from '../support/store.js'
import { startGateway, type TestGateway } from '../support/gateway.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat } from '${SDK}'
const file = Type.String({ description: 'Base64, or an address.' })
export const copy = capability({
  id: 'copy', path: '/v1/copy', title: 'Copy', description: 'Copies a file.', price: flat(1),
  input: Type.Object({ file, times: Type.Integer({ description: 'Copies.', minimum: 1 }) }),
  output: Type.Object({ url: Type.String(), text: Type.String(), head: Type.String() }),
  examples: [{ title: 'One', params: { file: 'YWJj', times: 1 } }],
})
`
const handler = `import { handle } from '${SDK}'
import { copy } from './contract.mjs'
export const run = handle(copy, async ({ file, times }, ctx) => {
  let last = await (file.startsWith('http:') ? ctx.scratch.fetch(file) : ctx.scratch.decode(file))
  for (let copies = 1; copies < times; copies++) last = await ctx.scratch.write(ctx.scratch.read(last))
  const { url } = await ctx.scratch.store(last, { name: 'copy.txt', contentType: 'text/plain' })
  const text = (await ctx.scratch.bytes(last, 12_000_000)).toString()
  const head = (await ctx.scratch.head(last, 4)).toString()
  return { url, text, head }
})
`

describe('files of a call', () => {
  let folder: PluginFolder
  let gateway: TestGateway
  let temporary: TemporaryFolder
  let site: Running
  const usual = tmpdir()
  before(async () => {
    temporary = new TemporaryFolder()
    process.env['TMPDIR'] = temporary.path
    folder = await PluginFolder.make()
    await folder.write('copy', { 'index.mjs': index('copy', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
    site = await httpServer((request, response) => {
      const [, status = '200', size = '0', named = ''] = (request.url ?? '').split('/')
      response.writeHead(Number(status), named === '' ? {} : { 'content-length': named })
      if (named === '') response.end(Buffer.alloc(Number(size), 'a'))
      else response.write('a')
    })
    gateway = await startGateway({
      bundled: true,
      env: { CAPSTAN_PLUGINS: folder.path, CAPSTAN_LIMIT_SCRATCH: '12MiB', CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` },
    })
  })
  after(async () => {
    await gateway.close()
    await site.close()
    await folder.remove()
    process.env['TMPDIR'] = usual
    temporary.remove()
  })

  it('come in as Base64, are copied on the disk and go out as an artifact, and nothing of them is left', async () => {
    const reply = await gateway.post('/v1/copy', { file: Buffer.from('some text').toString('base64'), times: 3 })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json().data).to.include({ text: 'some text', head: 'some' })
    expect(reply.text).to.contain('/copy.txt?')
    await noCallFiles(temporary.path)
  })

  it('that are no Base64 are 422 and free', async () => {
    const reply = await gateway.post('/v1/copy', { file: 'not Base64', times: 1 })
    expect(reply.status).to.equal(422)
    expect(reply.text).to.contain('RFC 4648')
    expect(reply.headers['x-credits-used']).to.equal('0')
  })

  it('over the limit of the call are 422 naming the setting, and nothing of them is left', async () => {
    const reply = await gateway.post('/v1/copy', { file: Buffer.alloc(400_000).toString('base64'), times: 32 })
    expect(reply.status).to.equal(422)
    expect(reply.text).to.contain('limits.scratch')
    await noCallFiles(temporary.path)
  })

  it('come from an address, larger than what is fetched into memory', async () => {
    const size = 11 * 1024 * 1024
    const reply = await gateway.post('/v1/copy', { file: `${site.url}/200/${String(size)}`, times: 1 })
    expect(reply.status, reply.text.slice(0, 300)).to.equal(200)
    expect(reply.json().data).to.have.property('text').with.lengthOf(size)
  })

  it('whose server names a size over the limit are refused before their bytes come, and the connection ends', async () => {
    const reply = await gateway.post('/v1/copy', { file: `${site.url}/200/0/20000000`, times: 1 })
    expect(reply.status).to.equal(422)
    expect(reply.text).to.contain('limits.scratch')
    for (let turns = 0; turns < 500 && site.open() > 0; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(site.open()).to.equal(0)
  })

  it('come from a link of this gateway without network, for any account, and a changed link is 422', async () => {
    const first = await gateway.post('/v1/copy', { file: Buffer.from('some text').toString('base64'), times: 1 })
    const { url } = first.json<{ data: { url: string } }>().data
    const { key } = await gateway.newAccount(100)
    const reply = await gateway.post('/v1/copy', { file: url, times: 1 }, { authorization: `Bearer ${key}` })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json()).to.have.nested.property('data.text', 'some text')
    const changed = await gateway.post('/v1/copy', { file: url.replace(/signature=../, 'signature=xx'), times: 1 })
    expect(changed.status, changed.text).to.equal(422)
    expect(changed.text).to.contain('was not made by this gateway')
    const page = await gateway.post('/v1/scrape', { url, mode: 'fast' })
    expect(page.text).to.contain('some text')
  })

  it('that are not at their address are said to be missing, for free', async () => {
    const reply = await gateway.post('/v1/copy', { file: `${site.url}/404/5`, times: 1 })
    expect(reply.text).to.contain('status 404')
    expect(reply.headers['x-credits-used']).to.equal('0')
    await noCallFiles(temporary.path)
  })
})

import { expect } from 'chai'
import { httpServer, type Running } from '../../core/sdk/testkit/index.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'

/** Capabilities that hand an address to an internal port. */
const CONTRACT = `import { capability, flat, Type } from 'capstan/sdk'
import { captchaSolve } from 'capstan/contracts/captcha'
import { pageFacts } from 'capstan/contracts/scrape'
const input = Type.Object({ url: Type.String({ description: 'Address.' }) })
const output = Type.Object({ found: Type.Unknown() })
const about = { input, output, price: flat(1), work: 'light', timeoutMs: 60_000, examples: [{ title: 'One', params: { url: 'https://example.com/' } }] }
export const token = capability({ ...about, id: 'demo_token', path: '/v1/demo-token', title: 'Token', description: 'Solves.', uses: [captchaSolve] })
export const facts = capability({ ...about, id: 'demo_facts', path: '/v1/demo-facts', title: 'Facts', description: 'Reads.', uses: [pageFacts] })
`
const HANDLERS = `import { handle } from 'capstan/sdk'
import { captchaSolve } from 'capstan/contracts/captcha'
import { pageFacts } from 'capstan/contracts/scrape'
import { facts, token } from './contract.mjs'
const captcha = (url) => ({ kind: 'turnstile', site_key: '0x4A', page_url: url })
export const solve = handle(token, async ({ url }, ctx) => ({ found: await ctx.call(captchaSolve, captcha(url)) }))
export const read = handle(facts, async ({ url }, ctx) => ({ found: await ctx.call(pageFacts, { url }) }))
`
const PAGE = `<!doctype html><html lang="en"><head><title>Red kettles</title><meta property="og:site_name" content="Kettles">
<script type="application/ld+json">{"@type":"Product","name":"Kettle"}</script></head><body><h1>Kettles</h1></body></html>`

describe('internal ports over HTTP', function () {
  this.timeout(60_000)
  let vendor: Running
  let folder: PluginFolder
  let gateway: TestGateway
  /** What the vendor of captchas answers, one after the other; solved by default. */
  let answers: object[] = []
  let tasks = 0

  before(async () => {
    vendor = await httpServer((request, response) => {
      if (request.method === 'GET') return void response.setHeader('content-type', 'text/html').end(PAGE)
      tasks++
      const reply = answers.shift() ?? { errorId: 0, taskId: tasks, status: 'ready', solution: { token: `token ${String(tasks)}` } }
      request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(reply)))
    })
    folder = await PluginFolder.make()
    await folder.write('ports', { 'index.mjs': index('ports', '', 'capstan/sdk'), 'contract.mjs': CONTRACT, 'handler.mjs': HANDLERS })
    gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_PLUGINS: folder.path,
        CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
        CAPSTAN_CAPTCHA_PER_ACCOUNT_PER_DAY: '2',
        CAPSTAN_VENDOR_2CAPTCHA_URL: vendor.url,
        TWOCAPTCHA_API_KEY: 'key-of-the-vendor',
      },
    })
  })
  after(async () => {
    await gateway.close()
    await folder.remove()
    await vendor.close()
  })

  it('page.facts gives what a page says of itself', async () => {
    const reply = await gateway.post('/v1/demo-facts', { url: `${vendor.url}/` })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json()).to.deep.nested.include({
      'data.found.site_name': 'Kettles',
      'data.found.title': 'Red kettles',
      'data.found.language': 'en',
    })
    expect(reply.json()).to.have.nested.property('data.found.json_ld[0].name', 'Kettle')
  })

  it('A10 captcha.solve counts solved captchas by account and day: beyond the setting 429 names it, and no task is made', async () => {
    const solve = async (key?: string) =>
      await gateway.post('/v1/demo-token', { url: 'https://example.com/' }, key === undefined ? {} : { authorization: `Bearer ${key}` })
    expect((await solve()).json()).to.have.nested.property('data.found.token', 'token 1')
    // The vendor charges nothing for a task that it refuses, and so it is not counted.
    answers = [{ errorId: 1, errorCode: 'ERROR_ZERO_BALANCE' }]
    expect((await solve()).status).to.not.equal(200)
    await gateway.admin('POST', '/admin/v1/providers/captcha.solve/2captcha/resume')
    expect((await solve()).status).to.equal(200)
    const made = tasks
    const refused = await solve()
    expect(refused.status, refused.text).to.equal(429)
    expect(refused.text).to.contain('plugins.captcha.per_account_per_day')
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 86_400)
    expect(refused.headers['x-credits-used']).to.equal('0')
    expect(tasks).to.equal(made)
    const { key: second } = await gateway.newKey()
    expect((await solve(second)).status, 'a new key of the account').to.equal(429)
    expect(tasks).to.equal(made)
    const { key } = await gateway.newAccount(100)
    expect((await solve(key)).status, 'another account').to.equal(200)
  })
})

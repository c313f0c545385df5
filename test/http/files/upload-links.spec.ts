import { expect } from 'chai'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import type { PluginFolder } from '../../support/loader.js'
import { lookPlugin } from '../../support/look-plugin.js'
import { HandClock } from '../../support/outbound.js'
import { expectProblem } from '../../support/problem.js'
import { form, part, upload, uploadedFile } from '../../support/upload.js'

describe('the link of an uploaded file', () => {
  const clock = new HandClock()
  let plugins: PluginFolder
  let gateway: TestGateway
  before(async () => {
    plugins = await lookPlugin()
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: plugins.path }, overrides: { clock } })
  })
  after(async () => {
    await gateway.close()
    await plugins.remove()
  })
  const link = async (content: string | Buffer, filename = 'a.txt') =>
    uploadedFile(await upload(gateway, form(part(content, { filename })), { key: (await gateway.newKey()).key })).file_url
  const inspect = (file_url: string, key?: string) =>
    gateway.send('/v1/look', { method: 'POST', body: { file_url }, ...(key === undefined ? {} : { key }) })

  it('is an address for every capability, read from the store without network', async () => {
    const reply = await inspect(await link('%PDF-1.7\nhello', 'a.pdf'))
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json().data).to.deep.equal({ size: 14, kind: 'application/pdf pdf', text: '%PDF-1.7\nhello' })
    expect(reply.json().credits_used).to.equal(1)
  })

  it('of a page is scraped as any page', async () => {
    const url = await link('<!DOCTYPE html><title>My page</title><h1>Heading</h1><p>Some words of a page of mine.</p>', 'page.html')
    const reply = await gateway.post('/v1/scrape', { url, mode: 'fast' })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.text).to.contain('Some words of a page of mine.')
  })

  it('needs no key, so whoever has it may use it, on his own account too', async () => {
    const other = await gateway.newAccount(5)
    const reply = await inspect(await link('shared'), other.key)
    expect(reply.json().data).to.include({ text: 'shared' })
    expect((await gateway.money(other.id)).balance).to.equal(4)
  })

  it('is nothing anybody could have made: forged and changed ones are 422 with the reason, free', async () => {
    const url = await link('secret')
    const [first, second] = [new URL(url), new URL(await link('other'))]
    const forged = [
      url.replace(/signature=./, (text) => `signature=${text.endsWith('A') ? 'B' : 'A'}`),
      url.replace(/signature=.*/, 'signature='),
      url.replace(/expires=\d+/, (text) => `${text}0`),
      first.origin + second.pathname + first.search,
      `${first.origin}/files/${'a'.repeat(22)}/a.txt${first.search}`,
    ]
    for (const each of forged) {
      const reply = await inspect(each)
      expectProblem(reply, 'validation-failed')
      expect(reply.text).to.contain('was not made by this gateway').and.not.contain('secret')
      expectProblem(await gateway.send(new URL(each).pathname + new URL(each).search, { key: null }), 'not-found')
    }
  })

  it('expires, with its bytes and its part of the quota', async () => {
    const url = await link('short-lived')
    clock.advance(3_601_000)
    const reply = await inspect(url, (await gateway.newKey()).key)
    expectProblem(reply, 'validation-failed')
    expect(reply.text).to.contain('has expired')
    await gateway.app.services.artifacts.purge()
    expect(await gateway.app.services.store.artifacts.used('default')).to.equal(0)
  })
})

import { expect } from 'chai'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { startCanary } from '../../test/support/browser-site.js'
import { needsProgram } from '../../test/support/needs.js'
import { expectProblem } from '../../test/support/problem.js'
import { form, part, upload, uploadedFile } from '../../test/support/upload.js'

const WORDS = 'Invoice number 4711, issued to Ada Example for three days of gardening work in the month of May.'
/** A page that is empty until its script has run. */
const scripted = (more = ''): string =>
  `<!doctype html><title>Mine</title><main id="main"></main><script>document.getElementById('main').innerHTML = '<h1>Heading</h1><p>${WORDS}</p>'</script>${more}`

describe('the link of an uploaded file, opened in a browser', function () {
  this.timeout(60_000)
  let gateway: TestGateway
  let canary: Awaited<ReturnType<typeof startCanary>>
  before(async function () {
    for (const program of ['chromium-headless-shell', 'bwrap']) needsProgram(this, program)
    canary = await startCanary()
    gateway = await startGateway({ bundled: true })
  })
  after(async () => {
    await gateway?.close()
    await canary?.close()
  })
  const link = async (content: string | Buffer, filename = 'page.html'): Promise<string> =>
    uploadedFile(await upload(gateway, form(part(content, { filename })))).file_url
  const scrape = (url: string, more: Record<string, unknown> = {}) => gateway.post('/v1/scrape', { url, mode: 'standard', ...more })

  it('A13 is scraped in a browser, with what its scripts made, and below its own address', async () => {
    const url = await link(scripted())
    const reply = await scrape(url)
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.text).to.contain(WORDS)
    expect((await scrape(`${url}#main`)).text, 'with a fragment').to.contain(WORDS)
    expect((await scrape(url.replace('127.0.0.1', 'localhost'))).text, 'by another name of this machine').to.contain(WORDS)
  })

  it('A13 is pictured, and a file that no browser shows is refused as what it is', async () => {
    const reply = await gateway.post('/v1/screenshots/capture', { url: await link(scripted()), width: 400, height: 300 })
    expect(reply.status, reply.text).to.equal(200)
    const refused = await gateway.post('/v1/screenshots/capture', { url: await link('%PDF-1.7\nhello', 'a.pdf') })
    expectProblem(refused, 'validation-failed')
    expect(refused.text).to.contain('is a file to save (application/pdf)')
  })

  it('A13 of a text is scraped in the default mode too', async () => {
    const reply = await gateway.post('/v1/scrape', { url: await link(`${WORDS} And plain text.`, 'a.txt') })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.text).to.contain('And plain text.')
  })

  it('A13 of a page that needs scripts is read by documents.extract', async () => {
    const schema = { type: 'object', properties: { invoice_number: { type: 'string' } } }
    const reply = await gateway.post('/v1/documents/extract', { url: await link(scripted()), schema })
    // There is no model here, so only structured data of the page can be found.
    expectProblem(reply, 'no-result')
    const { attempts = [] } = reply.json().metadata
    expect(attempts.find(({ provider, port }) => provider === 'chromium' && port === 'browser.render')?.outcome, reply.text).to.equal('ok')
  })

  it('A13 opens nothing else inside: no script, frame, picture or second link of its page, and not the gateway itself', async () => {
    const inside = `http://127.0.0.1:${canary.port}`
    const other = await link('<p>other file</p>', 'other.html')
    const tries = [
      `<iframe src="${inside}/frame"></iframe><iframe src="${other}"></iframe><img src="${inside}/img"><link rel="stylesheet" href="${inside}/css">`,
      `<script>window.tries = Promise.allSettled(['${inside}/fetch', '${gateway.url}/healthz', '${other}', location.href].map((u) => fetch(u).then((r) => r.text())))`,
      `.then((all) => { document.getElementById('main').insertAdjacentHTML('beforeend', '<p id="tried">All four tries ended, namely so: ' + all.map(({ status }) => status).join(' ') + '</p>') })</script>`,
    ].join('')
    const paths: string[] = []
    gateway.server.prependListener('request', ({ url = '' }: { url?: string }) => void paths.push(url))
    const reply = await scrape(await link(scripted(tries)), { wait_for: '#tried' })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.text).to.contain(WORDS).and.contain('rejected rejected rejected rejected').and.not.contain('other file')
    expect(canary.hits).to.deep.equal([])
    expect(paths.filter((path) => path.startsWith('/files/') || path === '/healthz')).to.deep.equal([])
  })

  for (const [how, leave] of [
    ['a script', (to: string) => `<script>location.href = '${to}'</script>`],
    ['a refresh', (to: string) => `<meta http-equiv="refresh" content="0; url=${to}">`],
  ] as const)
    it(`A13 does not go on to a place inside by ${how}`, async () => {
      const reply = await scrape(await link(`<!doctype html><p>wait</p>${leave(`http://127.0.0.1:${canary.port}/moved`)}`))
      expectProblem(reply, 'target-blocked')
      expect(canary.hits).to.deep.equal([])
    })

  it('A13 that is forged, or names another place inside, is refused as before', async () => {
    const url = await link(scripted())
    const forged = await scrape(url.replace(/signature=./, (text) => `signature=${text.endsWith('A') ? 'B' : 'A'}`))
    expectProblem(forged, 'validation-failed')
    expect(forged.text).to.contain('was not made by this gateway')
    for (const inside of [`http://127.0.0.1:${canary.port}${new URL(url).pathname}?expires=1&signature=x`, `${gateway.url}/healthz`]) {
      const reply = await scrape(inside)
      expectProblem(reply, 'target-blocked')
      expect(reply.text).to.contain('the address is not public')
    }
    expect(canary.hits).to.deep.equal([])
  })
})

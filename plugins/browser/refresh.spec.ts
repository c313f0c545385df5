import { expect } from 'chai'
import { openBrowser, type TestBrowser } from '../../test/support/browser.js'
import { startSite, type Site } from '../../test/support/browser-site.js'
import { needsProgram } from '../../test/support/needs.js'

describe('browser: pages that go on to another one by themselves', function () {
  this.timeout(60_000)
  let site: Site
  let browser: TestBrowser

  before(async function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
    const going = (content: string): string =>
      `<!doctype html><meta http-equiv="REFRESH" content="${content}"><p>You are being redirected.</p>`
    site = await startSite({
      '/meta': going(`1; URL='/end'`),
      '/without-url': going('1, /end'),
      '/twice': going('0;url=/meta'),
      '/header': (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', refresh: '1; url=/end' }).end('<p>You are being redirected.</p>'),
      '/itself': going('1'),
      '/itself-by-address': going('1; url=/itself-by-address#top'),
      '/later': going('60; url=/end'),
      '/ring': going('0; url=/gnir'),
      '/gnir': going('0; url=/ring'),
      '/end': '<!doctype html><title>end</title><p>the article</p>',
    })
    browser = await openBrowser([site.authority])
  })

  after(async () => {
    await browser?.close()
    await site?.close()
  })

  for (const path of ['/meta', '/without-url', '/twice', '/header']) {
    it(`are followed, however long the browser takes to go: ${path}`, async () => {
      const seen = await browser.open(`${site.url}${path}`)
      expect(seen.html).to.contain('the article')
      expect(seen.final_url).to.equal(`${site.url}/end`)
    })
  }

  for (const path of ['/itself', '/itself-by-address', '/later']) {
    it(`are read as they are where they load themselves again, or stay for a while: ${path}`, async () => {
      const seen = await browser.open(`${site.url}${path}`)
      expect(seen.html).to.contain('You are being redirected.')
    })
  }

  it('that send their visitor round in a ring are given up long before their time is over', async () => {
    const answer = await browser.open(`${site.url}/ring`, { timeout_ms: 50_000 }).then(
      ({ html }) => html,
      (error: unknown) => String(error),
    )
    expect(answer).to.match(/You are being redirected|the page went on to another one while it was read/)
  })
})

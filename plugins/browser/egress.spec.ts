import { expect } from 'chai'
import { openBrowser, type BrowserSort, type TestBrowser } from '../../test/support/browser.js'
import { startCanary, startSite, type Site } from '../../test/support/browser-site.js'
import { CHANNELS, redirectTo } from '../../test/support/egress-channels.js'
import { needsProgram } from '../../test/support/needs.js'
import { stealth, stealthContext } from './stealth/stealth-flags.js'

const SORTS = {
  'chromium-headless-shell': undefined,
  chromium: { programs: ['chromium'], options: stealth(256), visit: { context: stealthContext('') } },
} satisfies Readonly<Record<string, BrowserSort | undefined>>

for (const [program, sort] of Object.entries(SORTS))
  describe(`browser: ways out of a page in ${program}`, function () {
    this.timeout(120_000)
    let site: Site
    let browser: TestBrowser
    let canary: Awaited<ReturnType<typeof startCanary>>

    before(async function () {
      needsProgram(this, program)
      needsProgram(this, 'bwrap')
      canary = await startCanary()
      const target = `127.0.0.1:${canary.port}`
      const all = Object.values(CHANNELS)
        .map((write) => write(target))
        .join('\n')
      site = await startSite({
        '/all': `<!doctype html><title>all</title>${all}<p id="end">read me</p>`,
        '/to': redirectTo,
        '/redirect': (_request, response) => void response.writeHead(302, { location: `http://${target}/redirected` }).end(),
        '/script': `<p>wait</p><script>location.href='http://${target}/moved'</script>`,
        '/meta': `<meta http-equiv="refresh" content="0; url=http://${target}/meta">`,
        '/image': `<img src="/redirect"><p id="end">still here</p>`,
        '/sw.js': (_request, response) =>
          void response.writeHead(200, { 'content-type': 'text/javascript' }).end(`fetch('http://${target}/sw')`),
        '/own': `<p id="end">own</p><script>fetch('/reached').then(()=>0)</script>`,
        '/reached': 'yes',
      })
      browser = await openBrowser([site.authority], {}, { sort })
    })

    after(async () => {
      await browser?.close()
      await site?.close()
      await canary?.close()
    })

    it(`T-21 N-30 a page that tries ${Object.keys(CHANNELS).length} channels to a place inside makes no connection, and is still read`, async () => {
      const seen = await browser.open(`${site.url}/all`, { timeout_ms: 60_000 })
      expect(seen.html).to.contain('read me')
      // Delayed attempts (WebRTC timers, prerender) get their time while another page is open.
      await browser.open(`${site.url}/own`, { wait_for: '#end' })
      expect(canary.hits).to.deep.equal([])
    })

    for (const path of ['/redirect', '/script', '/meta']) {
      it(`T-18 T-21 a page that sends the browser inside by ${path} is blocked without a connection`, async () => {
        const fault = await browser.refused(`${site.url}${path}`)
        expect(fault.kind).to.equal('blocked')
        expect(canary.hits).to.deep.equal([])
      })
    }

    it('a page whose own image was refused is read all the same', async () => {
      const seen = await browser.open(`${site.url}/image`)
      expect(seen.html).to.contain('still here')
      expect(seen.status).to.equal(200)
    })
  })

describe('browser: ways out of a page to a place the operator allows', function () {
  this.timeout(120_000)
  it('are open, so that the canaries above would have noticed', async function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
    const canary = await startCanary()
    const site = await startSite({ '/': `<img src="http://127.0.0.1:${canary.port}/x.png">` })
    const browser = await openBrowser([site.authority, `127.0.0.1:${canary.port}`])
    try {
      await browser.open(`${site.url}/`)
      expect(canary.hits).not.to.deep.equal([])
    } finally {
      await browser.close()
      await site.close()
      await canary.close()
    }
  })
})

import { expect } from 'chai'
import sinon from 'sinon'
import { Fault } from '../../core/sdk/index.js'
import { openBrowser, type TestBrowser } from '../../test/support/browser.js'
import { browserHost } from '../../test/support/browser-host.js'
import { startSite, type Site } from '../../test/support/browser-site.js'
import { needsProgram } from '../../test/support/needs.js'
import { later } from '../../test/support/time.js'
import { launch, ordinary, prepare } from './launch.js'

/** Pages that overload a whole browser with messages. */
const HOSTILE = {
  '/console': '<p>x</p><script>const s="x".repeat(60e6);setInterval(()=>console.log(s),1)</script>',
  '/fetch': '<p>x</p><script>setInterval(()=>{for(let i=0;i<3000;i++)fetch("data:,x")},1)</script>',
  '/errors': '<p>x</p><script>const s="\\u0001".repeat(50e6);setInterval(()=>{throw new Error(s)},1)</script>',
}

describe('browser: neighbours of hostile pages', function () {
  this.timeout(60_000)
  let site: Site
  let browser: TestBrowser

  before(async function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
    site = await startSite({
      ...HOSTILE,
      '/quiet': '<!doctype html><title>Quiet</title><p>text</p><script>fetch("/slow")</script>',
      '/slow': (_request, response) => later(300, () => response.end()),
    })
    browser = await openBrowser([site.authority])
  })

  after(async () => {
    await browser?.close()
    await site?.close()
  })

  for (const path of Object.keys(HOSTILE))
    it(`a page like ${path} fails alone and counts against its caller, while every page of a neighbour is read`, async () => {
      const attack = browser.open(`${site.url}${path}`, { timeout_ms: 5_000 }, `attacker with ${path}`).catch((error: unknown) => error)
      let over = false
      void attack.then(() => (over = true))
      let read = 0
      while (!over || read < 2) {
        const seen = await Promise.all([0, 1].map(() => browser.open(`${site.url}/quiet`, {}, 'neighbour')))
        expect(seen.map(({ title }) => title)).to.deep.equal(['Quiet', 'Quiet'])
        read += seen.length
      }
      const outcome = await attack
      // A browser on a fast machine handles the requests, and the page is read as it is.
      if (path === '/fetch' && !(outcome instanceof Error)) return
      expect(Fault.is(outcome) && [outcome.kind, outcome.costly]).to.deep.equal(['blocked', true])
    })
})

describe('browser: the end of its process', function () {
  this.timeout(60_000)

  before(function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
  })

  it('kills the process it started and no other that has got its number', async () => {
    const base = await browserHost([])
    try {
      const sandbox = await prepare(base.host)
      const first = await launch(sandbox, 1, ordinary(256))
      expect(await first.usage())
        .to.have.property('gotMs')
        .that.is.greaterThan(0)
      const gone = new Promise((resolve) => first.browser.once('disconnected', resolve))
      first.kill()
      await gone
      const second = await launch(sandbox, 2, ordinary(256))
      await second.browser.close()
      const kill = sinon.spy(process, 'kill')
      try {
        second.kill()
        expect(kill.args).to.deep.equal([])
      } finally {
        kill.restore()
      }
    } finally {
      await base.close()
    }
  })
})

import { existsSync, readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { openBrowser, type TakenPicture, type TestBrowser } from '../../../test/support/browser.js'
import { startSite, type Site } from '../../../test/support/browser-site.js'
import { needsProgram, skip } from '../../../test/support/needs.js'
import { pixelsOf } from '../../../test/support/pixels.js'
import { later } from '../../../test/support/time.js'

const RED = '#ff0000'
const BLUE = '#0000ff'
const LIME = '#00ff00'
const FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf'

/** The Debian packages with their fonts. */
const FONTS: Readonly<Record<string, string>> = {
  CJK: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  Hangul: '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc',
  Arabic: '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  emoji: '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
}

const doc = (body: string, style = ''): string =>
  `<!doctype html><meta charset="utf-8"><style>*{margin:0;padding:0}body{background:#fff}${style}</style>${body}`
const svg = (colour: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100" fill="${colour}"/></svg>`
const block = (colour: string, height: number): string => `<div style="height:${height}px;background:${colour}"></div>`
const glyph = (text: string): string => doc(`<p style="font-size:60px;padding:20px">${text}</p>`)
const answer =
  (type: string, body: string | Buffer) =>
  (_request: unknown, response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': type }).end(body)

const PAGES: Record<string, Parameters<typeof startSite>[0][string]> = {
  '/lazy': doc(
    Array.from({ length: 6 }, (_, at) =>
      at % 2 === 0
        ? `${block('#ffffff', 1500)}<img loading="lazy" src="/red.svg?${at}" width="100" height="100" style="display:block">`
        : `${block('#ffffff', 1500)}<img class="late" data-src="/red.svg?${at}" width="100" height="100" style="display:block">`,
    ).join('') +
      `<script>const o=new IntersectionObserver(all=>all.forEach(e=>{if(e.isIntersecting)e.target.src=e.target.dataset.src}));document.querySelectorAll('.late').forEach(e=>o.observe(e))</script>`,
  ),
  '/red.svg': (_request, response) => later(60, () => answer('image/svg+xml', svg(RED))(null, response)),
  '/head': doc(
    `<header style="position:sticky;top:0;height:40px;background:${RED}"></header>${block('#ffffff', 3000)}
     <nav style="position:fixed;bottom:0;left:0;width:100%;height:30px;background:${BLUE}"></nav>
     <aside style="position:fixed;top:100px;right:0;width:20px;height:20px;background:${LIME}"></aside>`,
  ),
  '/moving': doc(
    `<i class="ever"></i><i class="once"></i><i class="slow"></i><script>setTimeout(()=>document.querySelector('.slow').classList.add('on'))</script>`,
    `i{display:block;width:100px;height:100px;background:${RED}}.ever{animation:m 1s infinite linear}.once{animation:m 60s forwards}.slow{transition:background 60s}.slow.on{background:${BLUE}}@keyframes m{from{background:${RED}}to{background:${BLUE}}}`,
  ),
  '/font': doc(`<p style="font:60px mono2,serif">iiii</p>`, `@font-face{font-family:mono2;src:url(/font.ttf)}`),
  '/no-font': doc(`<p style="font:60px mono3,serif">iiii</p>`),
  '/font.ttf': (_request, response) => later(400, () => answer('font/ttf', readFileSync(FONT))(null, response)),
  '/tall': doc(block(RED, 16_000) + block(BLUE, 4_000)),
  '/wide': doc(block(RED, 1_900) + block(LIME, 700) + block(BLUE, 100)),
  '/print': doc(
    `<header style="position:fixed;top:0;height:40px;width:100%;background:${BLUE}"></header>${block(RED, 3000)}`,
    `@media print{body{background:${RED}}}`,
  ),
  '/sheets': doc(block(RED, 80_000)),
  '/stuck-image': doc(`<h1>Words</h1><img src="/never.png?secret=1">`),
  '/stuck-script': doc(`<h1>Words</h1><script src="/never.js?secret=1"></script><p>more</p>`),
  '/never.png': () => undefined,
  '/never.js': () => undefined,
  '/endless': doc(
    `<div id="list">${block(RED, 2000)}</div><script>addEventListener('scroll',()=>list.insertAdjacentHTML('beforeend','${block(RED, 2000)}'))</script>`,
  ),
  '/dialogs': doc(
    `${block(RED, 100)}<script>onbeforeunload=e=>{e.preventDefault();return 'stay'};alert(1);setInterval(()=>confirm(2),50);print()</script>`,
  ),
  '/fooled': doc(
    `${block(RED, 3000)}<script>requestAnimationFrame=setTimeout=()=>0;Element.prototype.getBoundingClientRect=()=>{throw 1};document.getAnimations=()=>{throw 1};window.scrollTo=()=>{throw 1};Object.defineProperty(document,'images',{get(){throw 1}})</script>`,
  ),
  '/inner': doc(
    `<style>html,body{margin:0;height:100%}#app{height:100vh;display:flex;flex-direction:column}main{flex:1;overflow-y:auto}</style><div id="app"><header style="height:60px;background:${BLUE}"></header><main>${block(LIME, 2900)}${block(RED, 100)}</main></div>`,
  ),
  '/inner-fixed': doc(
    `<style>body{margin:0;overflow:hidden}#app{position:fixed;inset:0;overflow:auto}</style><div id="app">${block(LIME, 2900)}${block(RED, 100)}</div>`,
  ),
  '/side': doc(
    `<style>body{margin:0}nav{float:left;width:200px;height:400px;overflow:auto}</style><nav>${block(BLUE, 3000)}</nav>${block(RED, 2000)}`,
  ),
  '/reveal': doc(
    `<style>.rv{opacity:0;transition:opacity .4s}.rv.on{opacity:1}</style>${block(LIME, 900)}${`<section class="rv">${block(RED, 600)}</section>`.repeat(4)}<script>var all=[...document.querySelectorAll('.rv')].map(n=>({n,y:n.getBoundingClientRect().top+scrollY-innerHeight+120}));function h(){all.forEach(p=>p.n.classList.toggle('on',scrollY>=p.y))}addEventListener('scroll',h);h()</script>`,
  ),
  '/observed': doc(
    `<style>.rv{visibility:hidden;transform:translateY(80px)}.rv.on{visibility:visible;transform:none}</style>${block(LIME, 1200)}${`<section class="rv">${block(RED, 600)}</section>`.repeat(3)}<script>const seen=new IntersectionObserver(all=>all.forEach(({target,isIntersecting})=>target.classList.toggle('on',isIntersecting)));document.querySelectorAll('.rv').forEach(e=>seen.observe(e))</script>`,
  ),
  '/closed': doc(`${block(LIME, 1500)}<div style="opacity:0">${block(RED, 600)}</div>`),
  '/busy': doc(`${block(RED, 100)}<script>onload=()=>{for(;;);}</script>`),
  '/file': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/zip', 'content-disposition': 'attachment' }).end('PK'),
  '/text': answer('text/plain', 'plain words'),
  '/image': answer('image/svg+xml', svg(RED)),
}
const GLYPHS = { CJK: ['永', '中'], Hangul: ['빨', '한'], Arabic: ['غ', 'س'], emoji: ['😀', '🚀'] } as const
for (const [name, texts] of Object.entries(GLYPHS)) for (const [at, text] of texts.entries()) PAGES[`/glyph/${name}/${at}`] = glyph(text)
// A code point without a glyph in any font: how a missing glyph is drawn.
PAGES['/glyph/none'] = glyph('\u{378}')

describe('browser: pictures of pages', function () {
  this.timeout(120_000)
  let site: Site
  let browser: TestBrowser
  /** Waits for a request that never completes while the other pages are captured. */
  let stuck: Promise<TakenPicture>

  before(async function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
    site = await startSite(PAGES)
    browser = await openBrowser([site.authority])
    stuck = browser.picture(`${site.url}/stuck-image`)
    stuck.catch(() => undefined)
  })

  after(async () => {
    await browser?.close()
    await site?.close()
  })

  const shot = (path: string, more: Parameters<TestBrowser['picture']>[1] = {}) => browser.picture(site.url + path, more)
  const refused = async (path: string, more: Parameters<TestBrowser['picture']>[1] = {}) =>
    shot(path, more).then(
      () => {
        throw new Error(`${path} was pictured`)
      },
      (error: unknown) => error as Error & { kind?: string; loc?: unknown },
    )

  it('shows images of a whole page that are loaded only when they come into view', async () => {
    const { bytes } = await shot('/lazy', { full_page: true })
    const pixels = await pixelsOf(bytes)
    expect([pixels.width, pixels.height]).to.deep.equal([800, 6 * 1600])
    expect(pixels.rows(50, RED)).to.have.length(6 * 100)
  })

  it('shows headers that stay in place once, and what is fixed below at the end', async () => {
    const pixels = await pixelsOf((await shot('/head', { full_page: true })).bytes)
    expect(pixels.rows(400, RED)).to.deep.equal(Array.from({ length: 40 }, (_, y) => y))
    expect(pixels.rows(400, BLUE)).to.deep.equal(Array.from({ length: 30 }, (_, y) => pixels.height - 30 + y))
    expect(pixels.rows(790, LIME)).to.have.length(20)
  })

  it('F13 the page grows to the whole of the part that scrolls in its place, and a part beside the content does not', async () => {
    for (const [path, height] of [
      ['/inner', 3060],
      ['/inner-fixed', 3000],
    ] as const) {
      const { bytes, notes } = await shot(path, { full_page: true })
      const pixels = await pixelsOf(bytes)
      expect([pixels.height, pixels.at(400, height - 50), notes], path).to.deep.equal([height, RED, []])
    }
    expect((await pixelsOf((await shot('/side', { full_page: true })).bytes)).height).to.equal(2000)
  })

  it('F13 what shows itself when it comes into view and hides again is shown, and what never shows itself is not', async () => {
    for (const [path, first] of [
      ['/reveal', 900],
      ['/observed', 1200],
    ] as const) {
      const pixels = await pixelsOf((await shot(path, { full_page: true })).bytes)
      expect(pixels.rows(400, RED), path).to.have.length(pixels.height - first)
    }
    expect((await pixelsOf((await shot('/closed', { full_page: true })).bytes)).rows(400, RED)).to.have.length(0)
  })

  it('stands still: what ends is shown at its end, what never ends at its beginning', async () => {
    const pixels = await pixelsOf((await shot('/moving')).bytes)
    expect([pixels.at(50, 50), pixels.at(50, 150), pixels.at(50, 250)]).to.deep.equal([RED, BLUE, BLUE])
  })

  it('waits for fonts of the page', async function () {
    if (!existsSync(FONT)) skip(this, 'the fonts of this test are not installed')
    const [own, other] = await Promise.all([shot('/font'), shot('/no-font')])
    expect(own.bytes.equals(other.bytes)).to.equal(false)
    expect(own.notes).to.deep.equal([])
  })

  for (const name of Object.keys(GLYPHS))
    it(`draws ${name}, and no boxes in its place`, async function () {
      if (!existsSync(FONTS[name] ?? '')) skip(this, 'the fonts of this test are not installed')
      const drawn = await Promise.all([`/glyph/${name}/0`, `/glyph/${name}/1`, '/glyph/none'].map((path) => shot(path)))
      expect(new Set(drawn.map(({ bytes }) => bytes.toString('base64'))).size, 'two letters, or a letter and none, look the same').to.equal(
        3,
      )
    })

  for (const format of ['png', 'jpeg', 'webp'] as const)
    it(`makes ${format} of the size asked for`, async () => {
      const pixels = await pixelsOf((await shot('/text', { format, width: 317, height: 211 })).bytes)
      expect([pixels.width, pixels.height]).to.deep.equal([317, 211])
    })

  it('T-35 cuts a page at 16,384 pixels, as webp at 16,383, and says so', async () => {
    const [png, webp] = await Promise.all([
      shot('/tall', { width: 320, full_page: true }),
      shot('/tall', { width: 320, full_page: true, format: 'webp' }),
    ])
    expect([(await pixelsOf(png.bytes)).height, (await pixelsOf(webp.bytes)).height]).to.deep.equal([16_384, 16_383])
    expect([png.notes, webp.notes]).to.deep.equal([
      ['the page is 20000 pixels high: its picture is cut at 16384'],
      ['the page is 20000 pixels high: its picture is cut at 16383'],
    ])
  })

  it('puts the bands of a large picture together without a seam', async () => {
    const pixels = await pixelsOf((await shot('/wide', { width: 1600, full_page: true })).bytes)
    expect([pixels.width, pixels.height]).to.deep.equal([1600, 2700])
    const rows = [RED, LIME, BLUE].map((colour) => pixels.rows(800, colour))
    expect(rows.map((all) => [all[0], all.length])).to.deep.equal([
      [0, 1900],
      [1900, 700],
      [2600, 100],
    ])
  })

  it('prints sheets of A4 with backgrounds, at most 50', async () => {
    const [{ bytes, notes }, many] = await Promise.all([shot('/print', { format: 'pdf' }), shot('/sheets', { format: 'pdf' })])
    const text = bytes.toString('latin1')
    expect(notes).to.deep.equal([])
    expect([...text.matchAll(/\/MediaBox ?\[0 0 (\d+)[.\d]* (\d+)/g)].map(([, width, height]) => [width, height])).to.deep.equal(
      Array.from({ length: 3 }, () => ['595', '841']),
    )
    expect(many.notes).to.deep.equal(['the page has more than 50 sheets: the pdf is cut there'])
    expect(many.bytes.toString('latin1').match(/\/MediaBox/g)).to.have.length(50)
  })

  it('names what had not come when the picture was taken, and what kept a page from being read', async () => {
    expect((await stuck).notes).to.deep.equal([`the picture was taken without pending parts: image ${site.url}/never.png`])
    const fault = await refused('/stuck-script', { timeout_ms: 2_000 })
    expect(fault.kind).to.equal('blocked')
    expect(fault.message).to.equal(`the page was not read to its end in time: still waiting for script ${site.url}/never.js`)
  })

  it('T-35 ends at pages that grow for ever, ask, print, and change what scripts stand on', async () => {
    const [endless, dialogs, fooled] = await Promise.all([
      shot('/endless', { width: 100, full_page: true }),
      shot('/dialogs'),
      shot('/fooled', { width: 100, full_page: true }),
    ])
    expect([(await pixelsOf(endless.bytes)).height, endless.notes.length]).to.deep.equal([16_384, 1])
    expect((await pixelsOf(dialogs.bytes)).at(50, 50)).to.equal(RED)
    expect((await pixelsOf(fooled.bytes)).rows(50, RED)).to.have.length(3000)
  })

  it('T-35 says that scripts kept a page from its picture', async () => {
    const fault = await refused('/busy', { timeout_ms: 3_000 })
    expect([fault.kind, fault.message]).to.deep.equal(['blocked', 'the page was not ready in time: its scripts did not finish'])
  })

  it('refuses an address that is a file to save, and pictures text and images', async () => {
    const fault = await refused('/file')
    expect([fault.kind, fault.loc, fault.message.includes('application/zip')]).to.deep.equal(['invalid', ['url'], true])
    expect((await pixelsOf((await shot('/image')).bytes)).count(RED)).to.be.greaterThan(5_000)
  })
})

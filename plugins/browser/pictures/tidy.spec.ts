import { expect } from 'chai'
import { openBrowser, type TestBrowser } from '../../../test/support/browser.js'
import { startSite, type Site } from '../../../test/support/browser-site.js'
import { needsProgram } from '../../../test/support/needs.js'
import { pixelsOf } from '../../../test/support/pixels.js'
import { CHATS, CONSENT, type ConsentRule } from './tidy-rules.js'

const RED = '#ff0000'
const COVER = 'position:fixed;inset:0;background:#f00;z-index:9'
const DECLINE = `onclick="fetch('/pressed?'+encodeURIComponent(this.textContent));this.closest('.b')?.remove()"`
const ACCEPT = `onclick="fetch('/agreed')"`
const doc = (body: string): string => `<!doctype html><meta charset="utf-8"><body style="margin:0">${body}<p>Words of the page.</p>`

/** An element matched by a selector of the rules, with this content. */
function elementOf(selector: string, attributes: string, inside: string): string {
  const [first = '', ...rest] = selector.split(' ')
  if (rest.length > 0) return elementOf(first, '', elementOf(rest.join(' '), attributes, inside))
  const tag = /^[a-z]+/.exec(first)?.[0] ?? 'div'
  const found = [...first.matchAll(/#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:\^?="([^"]*)")?\]/g)].map(([, id, name, attribute, value = '']) =>
    id !== undefined ? `id="${id}"` : name !== undefined ? `class="${name}"` : `${attribute}="${value}"`,
  )
  return `<${tag} ${found.join(' ')} ${attributes}>${inside}</${tag}>`
}

/** A page with the banner of a rule: over the whole window, with the button that declines if the rule has one. */
function bannerOf({ name, host, hide, reject }: ConsentRule): string {
  const [button, box] = [reject[0], hide[0] ?? '']
  const pressed = button === undefined ? '' : elementOf(button, `onclick="fetch('/pressed?${name}')"`, 'No')
  if (host === undefined) return doc(elementOf(box, `style="${COVER}"`, `${pressed}<button ${ACCEPT}>Yes</button>`))
  return doc(
    `${elementOf(box, '', '')}<script>document.querySelector('${host}').attachShadow({mode:'open'}).innerHTML=\`<div style="${COVER}">${pressed}</div>\`</script>`,
  )
}

const dialog = (text: string, buttons: string, style = COVER): string =>
  doc(`<div class="b" style="${style}"><p>${text}</p>${buttons}</div>`)
const button = (label: string, action = DECLINE): string => `<button ${action}>${label}</button>`

/** Banners without a rule, by the label of their declining button. */
const LANGUAGES: readonly (readonly [string, string, string])[] = [
  ['We use cookies on this site.', 'Accept all', 'Reject all'],
  ['Wir verwenden Cookies.', 'Alle akzeptieren', 'Nur notwendige Cookies'],
  ['Nous utilisons des cookies.', 'Tout accepter', 'Continuer sans accepter →'],
  ['Usamos cookies.', 'Aceptar todo', 'RECHAZAR TODO'],
  ['Questo sito usa cookie.', 'Accetta tutto', 'Rifiuta'],
  ['Wij gebruiken cookies.', 'Akkoord', 'Alles weigeren'],
  ['Usamos cookies neste site.', 'Aceitar', 'Recusar'],
  ['Używamy plików cookie (ciasteczka).', 'Akceptuję', 'Odrzuć wszystkie'],
  ['このサイトはクッキーを使います。', '同意する', 'すべて拒否'],
]

describe('browser: banners and chat windows on pictures', function () {
  this.timeout(120_000)
  let site: Site
  let browser: TestBrowser
  const pages: Record<string, string> = {
    '/chats': doc(
      CHATS.flatMap(({ hide }) => hide)
        .map((selector, at) =>
          elementOf(
            selector,
            `style="position:fixed;left:${(at % 20) * 30}px;top:${Math.floor(at / 20) * 30}px;width:20px;height:20px;background:#f00;display:block"`,
            '',
          ),
        )
        .join(''),
    ),
    '/late-chat': doc(
      `<script>onscroll=()=>document.body.insertAdjacentHTML('beforeend','<div id="tidio-chat" style="${COVER}"></div>')</script><div style="height:3000px"></div>`,
    ),
    '/csp': `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src-attr 'unsafe-inline'"><div id="tidio-chat" style="${COVER}"></div>`,
    '/accept-only': dialog('This site uses cookies.', button('Got it!', ACCEPT)),
    '/locked': `<!doctype html><html style="overflow:hidden"><body style="margin:0;overflow:hidden"><div style="${COVER}"></div><div class="b" style="position:fixed;top:100px;background:#f00;z-index:10">Cookies here. ${button('OK', ACCEPT)}</div><div style="height:3000px">Words</div>`,
    '/link': dialog('This site uses cookies.', `<a href="/moved" ${DECLINE}>Reject all</a> <a href="/more">OK</a>`),
    '/form': dialog('This site uses cookies.', `<form action="/moved"><button ${DECLINE}>Decline</button></form>`),
    '/article': doc(
      `<article style="background:#f00"><h1>How cookies work</h1>${button('Reject all')}${button('Accept all', ACCEPT)}</article>`,
    ),
    '/other': dialog('Subscribe to our newsletter.', button('No thanks') + button('Accept', ACCEPT)),
    '/unending': dialog('We use cookies.', button('Reject all')) + '<img src="/silent.png">',
    '/settings': dialog('We use cookies.', button('Reject all cookies and read on for 3 euro a month') + button('Settings')),
    '/reload': doc(
      `<script>if(!document.cookie)document.write('<div class="b" style="${COVER}">We use cookies. <button onclick="document.cookie=1;location.reload()">Reject all</button></div>')</script>`,
    ),
  }
  for (const rule of CONSENT) pages[`/consent/${encodeURIComponent(rule.name)}`] = bannerOf(rule)
  for (const [at, [text, yes, no]] of LANGUAGES.entries()) pages[`/language/${at}`] = dialog(text, button(yes, ACCEPT) + button(no))

  before(async function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
    site = await startSite({ ...pages, '/silent.png': () => undefined })
    browser = await openBrowser([site.authority])
  })

  it('a page that never ends loading is pictured after its banner was declined', async () => {
    expect(await seen('/unending')).to.deep.include({ red: 0, pressed: ['/pressed?Reject all'] })
  })

  beforeEach(() => void site.requests.splice(0))

  after(async () => {
    await browser?.close()
    await site?.close()
  })

  /** Red pixels of a page's picture, and the buttons pressed on it. */
  async function seen(
    path: string,
    more: Parameters<TestBrowser['picture']>[1] = {},
  ): Promise<{ red: number; pressed: string[]; height: number }> {
    const { bytes } = await browser.picture(site.url + path, { width: 640, height: 400, ...more })
    const pixels = await pixelsOf(bytes)
    const pressed = site.requests
      .map((request) => decodeURIComponent(request.path))
      .filter((each) => /^\/(?:pressed|agreed|moved)/.test(each))
    return { red: pixels.count(RED), pressed, height: pixels.height }
  }

  /** Remaining red pixels of each page, and the buttons pressed on all; as many at once as the browser opens. */
  async function leftOf(paths: readonly string[]): Promise<Record<string, number>> {
    const left: Record<string, number> = {}
    for (let at = 0; at < paths.length; at += 4)
      await Promise.all(paths.slice(at, at + 4).map(async (path) => void (left[path] = (await seen(path)).red)))
    return left
  }
  const none = (paths: readonly string[]): Record<string, number> => Object.fromEntries(paths.map((path) => [path, 0]))
  const pressedOf = (): string[] =>
    site.requests.flatMap(({ path }) => (/^\/(?:pressed|agreed)/.test(path) ? [decodeURIComponent(path)] : []))

  it(`declines where it can, and hides, the banners of ${CONSENT.length} tools`, async () => {
    const paths = CONSENT.map(({ name }) => `/consent/${encodeURIComponent(name)}`)
    expect(await leftOf(paths)).to.deep.equal(none(paths))
    expect(pressedOf()).to.have.members(CONSENT.flatMap(({ name, reject }) => (reject.length === 0 ? [] : [`/pressed?${name}`])))
  })

  it(`declines banners that no rule knows, in ${LANGUAGES.length} languages`, async () => {
    const paths = LANGUAGES.map((_, at) => `/language/${at}`)
    expect(await leftOf(paths)).to.deep.equal(none(paths))
    expect(pressedOf()).to.have.members(LANGUAGES.map(([, , no]) => `/pressed?${no}`))
  })

  it(`hides ${CHATS.length} kinds of chat windows, those that come late, and whatever the page's policy is`, async () => {
    expect(await seen('/chats')).to.deep.include({ red: 0, pressed: [] })
    expect(await seen('/late-chat', { full_page: true })).to.deep.include({ red: 0, pressed: [] })
    expect(await seen('/csp')).to.deep.include({ red: 0 })
  })

  it('agrees to nothing: a banner without a button that declines is hidden, with what lies behind it, and the page scrolls again', async () => {
    expect(await seen('/accept-only')).to.deep.include({ red: 0, pressed: [] })
    expect(await seen('/locked', { full_page: true })).to.deep.equal({ red: 0, pressed: [], height: 3000 })
  })

  it('follows no link and sends no form: their banner is hidden', async () => {
    expect(await seen('/link')).to.deep.include({ red: 0, pressed: [] })
    expect(await seen('/form')).to.deep.include({ red: 0, pressed: [] })
  })

  it('touches nothing that is no banner of that kind', async () => {
    for (const path of ['/article', '/other', '/settings']) {
      const { red, pressed } = await seen(path)
      expect(red, path).to.be.greaterThan(1000)
      expect(pressed, path).to.deep.equal([])
    }
  })

  it('waits for a page that loads itself anew after the decision', async () => {
    expect(await seen('/reload')).to.deep.include({ red: 0 })
    expect(site.requests.filter(({ path }) => path === '/reload')).to.have.length(2)
  })
})

import { expect } from 'chai'
import { openBrowser, type TestBrowser } from '../../../test/support/browser.js'
import { startSite, type Site } from '../../../test/support/browser-site.js'
import { needsProgram } from '../../../test/support/needs.js'
import { stealth, stealthContext } from './stealth-flags.js'

/** Signs of an ordinary headless browser: expressions that are (or resolve to) true where a page detects it. */
const SIGNS: Readonly<Record<string, string>> = {
  'it says that it is driven': 'navigator.webdriver === true',
  'its user agent says headless': '/headless/i.test(navigator.userAgent)',
  'its brands say headless': 'navigator.userAgentData.brands.some(({ brand }) => /headless/i.test(brand))',
  'its full versions say headless or are missing':
    "navigator.userAgentData.getHighEntropyValues(['fullVersionList']).then(({ fullVersionList: all }) => all.length === 0 || all.some(({ brand }) => /headless/i.test(brand)))",
  'it has no plugins': 'navigator.plugins.length === 0',
  'it has no types of plugins': 'navigator.mimeTypes.length === 0',
  'it shows no PDF': 'navigator.pdfViewerEnabled !== true',
  'it speaks one language only': 'navigator.languages.length < 2',
  'it has no object chrome': "typeof window.chrome !== 'object'",
  'it has no notifications, or two words for them':
    "typeof Notification === 'undefined' ? true : navigator.permissions.query({ name: 'notifications' }).then(({ state }) => (Notification.permission === 'default' ? 'prompt' : Notification.permission) !== state)",
  // A window is laid out beside its first page: its frame appears within a moment, or never.
  'its window has no frame':
    'new Promise((done) => { const end = performance.now() + 2000; const look = () => outerHeight - innerHeight > 40 ? done(false) : performance.now() > end ? done(true) : setTimeout(look, 50); look() })',
  'its screen is its page': 'screen.width === innerWidth && screen.height === innerHeight',
  'its scrollbars have no width':
    "(() => { const box = document.createElement('div'); box.style.cssText = 'width:100px;height:100px;overflow:scroll'; document.body.append(box); return box.offsetWidth === box.clientWidth })()",
  'it cannot speak': "typeof speechSynthesis === 'undefined'",
  'a frame in it is driven':
    "(() => { const frame = document.createElement('iframe'); document.body.append(frame); return frame.contentWindow.navigator.webdriver === true || typeof frame.contentWindow.chrome !== 'object' })()",
  'a worker of it says headless':
    "new Promise((done) => { const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.userAgent)']))); worker.onmessage = ({ data }) => done(/headless/i.test(data)) })",
}

/** Traces that hiding by scripts or overrides would leave, and consistency of the browser's properties. */
const TRACES: Readonly<Record<string, string>> = {
  'properties of navigator that stand on the object itself': 'Object.getOwnPropertyNames(navigator).length > 0',
  'getters that are not native':
    "!/\\[native code\\]/.test(Function.prototype.toString.call(Object.getOwnPropertyDescriptor(Navigator.prototype, 'webdriver').get))",
  'functions that are not native':
    '[navigator.permissions.query, HTMLCanvasElement.prototype.getContext, Function.prototype.toString, WebGLRenderingContext.prototype.getParameter].some((each) => !/\\[native code\\]/.test(Function.prototype.toString.call(each)))',
  'webdriver that is missing': "!('webdriver' in navigator)",
  'objects of a driver':
    'Object.getOwnPropertyNames(window).concat(Object.getOwnPropertyNames(document)).some((name) => /playwright|puppeteer|selenium|cdc_|__pw|driver/i.test(name))',
  'a console that somebody reads':
    "(() => { let read = 0; const error = new Error('x'); Object.defineProperty(error, 'stack', { get: () => { read++; return '' } }); console.debug(error); console.log(Object.defineProperty({}, 'id', { enumerable: true, get: () => { read++ } })); return read > 0 })()",
  'another platform in the user agent than in its hints':
    "!navigator.userAgent.includes('X11; Linux') || navigator.userAgentData.platform !== 'Linux' || !navigator.platform.startsWith('Linux')",
  'another version in the user agent than in its hints':
    '!navigator.userAgentData.brands.some(({ version }) => navigator.userAgent.includes(`Chrome/${version}.`))',
  'hints without a processor':
    "navigator.userAgentData.getHighEntropyValues(['architecture', 'bitness']).then(({ architecture, bitness }) => architecture === '' || bitness === '')",
  'a worker that says something else':
    "new Promise((done) => { const worker = new Worker(URL.createObjectURL(new Blob(['postMessage([navigator.userAgent, navigator.languages.join(), navigator.hardwareConcurrency, Intl.DateTimeFormat().resolvedOptions().timeZone].join())']))); worker.onmessage = ({ data }) => done(data !== [navigator.userAgent, navigator.languages.join(), navigator.hardwareConcurrency, Intl.DateTimeFormat().resolvedOptions().timeZone].join()) })",
  'another language than its dates have': 'Intl.DateTimeFormat().resolvedOptions().locale !== navigator.language',
  'another time zone than its clock':
    "new Date(2026, 6, 1).getTimezoneOffset() !== -120 || Intl.DateTimeFormat().resolvedOptions().timeZone !== 'Europe/Berlin'",
  'no mouse': "!matchMedia('(hover: hover)').matches || !matchMedia('(pointer: fine)').matches || navigator.maxTouchPoints > 0",
  'a window larger than its screen': 'outerWidth > screen.width || outerHeight > screen.height || screen.availHeight < outerHeight',
  'a page that is not seen': "document.visibilityState !== 'visible' || !document.hasFocus()",
  'films that it cannot show': `['video/mp4; codecs="avc1.42E01E"', 'audio/mp4; codecs="mp4a.40.2"', 'video/webm; codecs="vp9"'].some((type) => document.createElement('video').canPlayType(type) === '')`,
  'fonts of another platform': `(() => { const width = (font) => { const text = document.createElement('canvas').getContext('2d'); text.font = '40px ' + font; return text.measureText('mmmmmmmmlli').width }; return width('"Segoe UI", monospace') !== width('monospace') })()`,
}

/** A page that runs all of them in order and reports the results. */
const page = `<!doctype html><meta charset="utf-8"><title>x</title><body><script>
const found = {}
let last = Promise.resolve()
const look = (name, test) => (last = last.then(test).then((is) => (found[name] = is), (error) => (found[name] = String(error))))
${Object.entries({ ...SIGNS, ...TRACES })
  .map(([name, expression]) => `look(${JSON.stringify(name)}, () => ${expression})`)
  .join('\n')}
last.then(() => document.body.append(Object.assign(document.createElement('p'), { id: 'said', textContent: encodeURIComponent(JSON.stringify(found)) })))
</script>`

type Found = Readonly<Record<string, unknown>>

function signsOf(html: string): Found {
  const found: unknown = JSON.parse(decodeURIComponent(/<p id="said">([^<]*)/.exec(html)?.[1] ?? '{}'))
  return typeof found === 'object' && found !== null ? Object.fromEntries(Object.entries(found)) : {}
}

describe('browser: what gives a headless browser away', function () {
  this.timeout(120_000)
  let site: Site
  let ordinary: TestBrowser
  let hidden: TestBrowser
  let ordinaryFound: Found = {}
  let hiddenFound: Found = {}

  before(async function () {
    for (const program of ['chromium-headless-shell', 'chromium', 'bwrap']) needsProgram(this, program)
    site = await startSite({ '/': page })
    ordinary = await openBrowser([site.authority])
    const options = stealth(256)
    hidden = await openBrowser(
      [site.authority],
      {},
      { sort: { programs: ['chromium'], options, visit: { context: stealthContext('Europe/Berlin') } } },
    )
    ordinaryFound = await look(ordinary)
    hiddenFound = await look(hidden)
  })

  after(async () => {
    await ordinary?.close()
    await hidden?.close()
    await site?.close()
  })

  const look = async (browser: TestBrowser) => signsOf((await browser.open(`${site.url}/`, { wait_for: '#said' })).html)

  for (const name of Object.keys(SIGNS))
    it(`${name}: the ordinary one, not the stealth one`, () =>
      expect([ordinaryFound[name], hiddenFound[name]]).to.deep.equal([true, false]))

  for (const name of Object.keys(TRACES)) it(`the stealth one leaves no trace: ${name}`, () => expect(hiddenFound[name]).to.equal(false))

  it('its requests say what a browser with a window says', async () => {
    const sent = async (browser: TestBrowser) => {
      site.requests.length = 0
      await browser.open(`${site.url}/none`)
      return site.requests[0]?.headers ?? {}
    }
    const [plain, other] = [await sent(ordinary), await sent(hidden)]
    expect(plain['user-agent']).to.match(/Headless/)
    expect(plain['sec-ch-ua']).to.match(/Headless/)
    expect(plain['accept-language']).to.equal('en-US')
    expect(other['user-agent']).to.match(/ Chrome\/\d+\.0\.0\.0 Safari\//)
    expect(other['sec-ch-ua'])
      .to.match(/"Chromium";v="\d+"/)
      .and.not.match(/Headless/)
    expect(other['accept-language']).to.equal('en-US,en;q=0.9')
    expect(Object.keys(other)).to.include.members(['sec-ch-ua-platform', 'sec-fetch-site', 'accept-encoding'])
  })
})

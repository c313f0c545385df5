import { expect } from 'chai'
import { isRecord } from '../../core/sdk/index.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startSite, type Site } from '../../test/support/browser-site.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { needsProgram } from '../../test/support/needs.js'

type Answer = Exclude<Parameters<typeof startSite>[0][string], string>

const TEXT = `<p>${'Ten red kettles stand in a row and wait for water. '.repeat(10)}</p>`
const article = (title: string): string => `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${TEXT}</html>`
const CHECK = '<title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Verifying</p>'
const WIDGET = '<p>Please verify that you are a human.</p>'
const answered =
  (status: number, body = 'x', headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
const byAgent: Answer = (request, response) => {
  const refused = /headless|capstan/i.test(request.headers['user-agent'] ?? '')
  answered(refused ? 403 : 200, refused ? CHECK : article('For windows'))(request, response)
}
const RELOAD = "<script>if (!navigator.webdriver) setTimeout(() => { document.cookie = 'passed=1'; location.reload() }, 1500)</script>"
const byCookie: Answer = (request, response) => {
  const passed = (request.headers.cookie ?? '').includes('passed')
  answered(passed ? 200 : 503, passed ? article('Behind a check') : `${CHECK}${RELOAD}`)(request, response)
}
/** A captcha whose form accepts the token of the vendor below. */
const form =
  (title: string, inside: string): Answer =>
  (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const open = body.includes('token-of-a-person') || (request.url ?? '').includes('token-of-a-person')
      answered(200, open ? article(title) : `<title>Security check</title>${WIDGET}${inside}`)(request, response)
    })
  }

const PAGES: Parameters<typeof startSite>[0] = {
  '/article': article('Red kettles'),
  '/later': `<title>App</title><p>Loading…</p><script>setTimeout(() => fetch('/article').then((got) => got.text()).then((text) => { document.body.innerHTML = text }), 1200)</script>`,
  '/hidden': article('Kettles').replace('</html>', `<div hidden>${TEXT}</div></html>`),
  '/never': '<title>App</title><p>Loading…</p><script>setInterval(() => 1, 1000)</script>',
  '/late': `<title>App</title><div id="root"></div><script>setTimeout(() => { root.innerHTML = ${JSON.stringify(article('By script'))} }, 2500)</script>`,
  '/windows': byAgent,
  '/check': byCookie,
  '/captcha': form(
    'By form',
    '<form method="post"><div class="g-recaptcha" data-sitekey="6Lc-key"></div><textarea name="g-recaptcha-response" hidden></textarea></form>',
  ),
  '/call-back': form(
    'By call-back',
    `<div class="cf-turnstile" data-sitekey="0x4AAAAAAA-key" data-callback="passed"></div><script>function passed(token) { location.search = token }</script>`,
  ),
  '/other-captcha': `<title>Security check</title>${WIDGET}<div class="h-captcha" data-sitekey="k"></div>`,
  '/refusal': '<title>Access Denied</title><h1>Access Denied</h1>You do not have permission.',
  '/members': answered(302, '', { location: '/login' }),
  '/login': '<title>Sign in</title><h1>Sign in</h1><form><input type="password"></form>',
  '/wall': '<title>Kettles</title><h1>Kettles</h1><p>Please sign in to continue reading.</p>',
  '/gone': '<title>Page not found</title><h1>Page not found</h1>',
  '/unknown': answered(404),
  '/forbidden': answered(403),
  '/busy': answered(429, 'x', { 'retry-after': '17' }),
  '/down': answered(500),
}

/**
 * Results of each page in the modes fast, standard and thorough: a page title, or a problem type. Those with the
 * longest waits come first: a check that may pass by itself is waited for before a captcha is solved.
 */
const OUTCOMES: Readonly<Record<string, readonly [string, string, string]>> = {
  '/call-back': ['target-blocked', 'target-blocked', 'By call-back'],
  '/check': ['target-blocked', 'target-blocked', 'Behind a check'],
  '/article': ['Red kettles', 'Red kettles', 'Red kettles'],
  '/late': ['no-result', 'App', 'App'],
  '/later': ['no-result', 'App', 'App'],
  '/windows': ['target-blocked', 'target-blocked', 'For windows'],
  '/captcha': ['target-blocked', 'target-blocked', 'By form'],
  '/other-captcha': ['target-blocked', 'target-blocked', 'target-blocked'],
  '/refusal': ['target-blocked', 'target-blocked', 'target-blocked'],
  '/members': ['target-blocked', 'target-blocked', 'target-blocked'],
  '/login': ['Sign in', 'Sign in', 'Sign in'],
  '/wall': ['target-blocked', 'target-blocked', 'target-blocked'],
  '/gone': ['no-result', 'no-result', 'no-result'],
  '/unknown': ['no-result', 'no-result', 'no-result'],
  '/forbidden': ['target-blocked', 'target-blocked', 'target-blocked'],
  '/busy': ['target-unavailable', 'target-unavailable', 'target-unavailable'],
  '/down': ['target-unavailable', 'target-unavailable', 'target-unavailable'],
}
/** Pages requested at once, each in every mode. */
const AT_ONCE = 4
/** The full page suite runs all of it (`npm run test:long`). */
const ALL = process.env['CAPSTAN_TEST_LONG'] === 'all'
const MODES = ['fast', 'standard', 'thorough'] as const

interface Body {
  readonly data: { readonly title: string; readonly screenshot_url: string | null } | null
  readonly error?: { readonly type: string; readonly detail: string } | null
  readonly metadata: {
    readonly notes?: readonly string[]
    readonly attempts: readonly { readonly provider: string; readonly port: string; readonly outcome: string }[]
  }
}

type Task = Readonly<Record<string, unknown>>

function taskOf(body: string): Task {
  const sent: unknown = JSON.parse(body)
  return isRecord(sent) && isRecord(sent['task']) ? sent['task'] : {}
}

describe('scrape: pages of every sort in every mode, over HTTP', function () {
  this.timeout(120_000)
  let site: Site
  let vendor: Running
  const tasks: Task[] = []
  let gateway: TestGateway
  /** A key with a higher rate limit than the first: there are more calls than that may make in a minute. */
  let key: string

  before(async function () {
    for (const program of ['chromium-headless-shell', 'chromium', 'bwrap']) needsProgram(this, program)
    site = await startSite(PAGES)
    vendor = await httpServer((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const task = request.url === '/createTask'
        if (task) tasks.push(taskOf(body))
        const token = { gRecaptchaResponse: 'token-of-a-person', token: 'token-of-a-person' }
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify(
            task ? { errorId: 0, taskId: 7, status: 'ready', solution: token } : { errorId: 0, status: 'ready', solution: token },
          ),
        )
      })
    })
    gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
        TWOCAPTCHA_API_KEY: 'k',
        CAPSTAN_VENDOR_2CAPTCHA_URL: `http://127.0.0.1:${vendor.port}`,
      },
    })
  })
  before(async () => void ({ key } = await gateway.newKey()))
  after(async () => {
    await gateway?.close()
    await vendor?.close()
    await site?.close()
  })

  const ask = async (path: string, input: object): Promise<Body> =>
    (await gateway.send('/v1/scrape', { method: 'POST', key, body: { url: `${site.url}${path}`, timeout: 40, ...input } })).json<Body>()
  const outcome = ({ data, error }: Body): string => data?.title ?? error?.type.split('/').pop() ?? 'nothing'

  /**
   * The answers for each page in each mode. As many pages as the browser opens are requested at once, since most of
   * the time is waiting.
   */
  const answers = new Map<string, Promise<readonly Body[]>>()
  const places = new Set<Promise<unknown>>()
  let line = Promise.resolve()
  const answersOf = (path: string): Promise<readonly Body[]> => {
    const known = answers.get(path)
    if (known !== undefined) return known
    const answer = line.then(() => Promise.all(MODES.map((mode) => ask(path, { mode }))))
    const ended = answer.then(
      () => void places.delete(ended),
      () => void places.delete(ended),
    )
    line = line.then(async () => {
      places.add(ended)
      if (places.size >= AT_ONCE) await Promise.race(places)
    })
    answers.set(path, answer)
    return answer
  }

  before(() => {
    // In the short run, each test requests its own page.
    if (ALL) for (const path of Object.keys(OUTCOMES)) void answersOf(path)
  })

  for (const [path, expected] of Object.entries(OUTCOMES))
    it(`${path}: ${expected.join(', ')}`, async () => {
      expect((await answersOf(path)).map(outcome)).to.deep.equal(expected)
    })

  it('has one captcha of a page solved, in thorough alone, with what the page says of it', async () => {
    await Promise.all(answers.values())
    const solved = (path: string): Task[] => tasks.filter(({ websiteURL }) => websiteURL === `${site.url}${path}`)
    // On a busy machine concurrent pages may have used up the time for solving it.
    for (const path of ['/captcha', '/call-back']) if (solved(path).length === 0) await ask(path, { mode: 'thorough' })
    expect([solved('/captcha').length, solved('/call-back').length]).to.deep.equal([1, 1])
    const [task] = solved('/captcha')
    expect(task).to.deep.include({ type: 'RecaptchaV2TaskProxyless', websiteKey: '6Lc-key' })
    expect(task?.['userAgent'])
      .to.match(/Chrome/)
      .and.not.match(/Headless/)
  })

  it('asks for no captcha where none is in the way, nor for one that nobody can solve', async () => {
    await Promise.all(answers.values())
    expect(tasks.map(({ websiteURL }) => websiteURL)).to.have.members([`${site.url}/captcha`, `${site.url}/call-back`])
  })

  it('F7 names hidden text that was left out in the notes of the answer, in fast and in standard', async () => {
    for (const { data, metadata } of await Promise.all(['fast', 'standard'].map((mode) => ask('/hidden', { mode })))) {
      expect(data?.title).to.equal('Kettles')
      expect(metadata.notes).to.deep.equal(['A hidden part of the page with 509 characters of text was left out.'])
    }
  })

  it('says in each mode what may be done about a page that is still loading', async () => {
    const [fast, standard] = await Promise.all(['fast', 'standard'].map((mode) => ask('/never', { mode, timeout: 4 })))
    expect(fast?.error?.detail).to.equal(
      'the page has no readable content without its scripts, which mode standard runs; what was read is a page that is still loading.',
    )
    expect(standard?.error?.detail).to.equal(
      'the page had no readable content by the time its scripts came to rest; wait_for may name an element of its content; what was read is a page that is still loading.',
    )
  })

  it('gives a picture of the page behind a signed link', async () => {
    const [, , thorough] = await answersOf('/windows')
    const picture = await fetch(thorough?.data?.screenshot_url ?? '')
    expect(picture.headers.get('content-type')).to.equal('image/png')
    expect((await picture.arrayBuffer()).byteLength).to.be.above(1000)
  })

  it('names the selector that never came, and tells it from a page in its place that never has it', async () => {
    const missed = await ask('/article', { mode: 'standard', wait_for: '#never', timeout: 1 })
    expect([outcome(missed), missed.error?.detail]).to.deep.equal([
      'no-result',
      'wait_for: no element of the page matched "#never" in 1 s.',
    ])
    // Long enough for the page itself on a busy machine.
    expect(outcome(await ask('/windows', { mode: 'standard', wait_for: 'h1', timeout: 3 }))).to.equal('target-blocked')
  })

  it('does not open a page a second time that says it does not exist', async () => {
    const [, , thorough] = await answersOf('/gone')
    expect(thorough?.metadata.attempts.map(({ provider, port }) => `${provider} ${port}`)).to.deep.equal([
      'chromium scrape.render',
      'chromium browser.render',
    ])
  })
})

import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { zoneServer, type DnsServer } from '../../core/sdk/testkit/index.js'
import { startSite, type Site } from '../../test/support/browser-site.js'
import { redirectTo } from '../../test/support/egress-channels.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { needsProgram } from '../../test/support/needs.js'
import { pixelsOf } from '../../test/support/pixels.js'
import type { CaptureOutput } from './contract.js'

const status =
  (code: number) =>
  (_request: unknown, response: ServerResponse): void =>
    void response.writeHead(code, { 'content-type': 'text/html' }).end('<body style="margin:0;background:#f00">Sorry')

interface Answer {
  readonly data: CaptureOutput | null
  readonly error: { readonly type: string; readonly detail: string } | null
  readonly credits_used: number
  readonly detail?: readonly { readonly loc: readonly string[] }[]
  readonly metadata: { readonly notes?: readonly string[]; readonly provider_used: string | null }
}

describe('screenshots.capture', function () {
  this.timeout(120_000)
  let site: Site
  /** An address where nothing listens. */
  let closed: string
  let names: DnsServer
  let gateway: TestGateway

  before(async function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
    site = await startSite({
      '/': '<body style="margin:0;background:#0000ff"><div style="height:1500px"></div>',
      '/500': status(500),
      '/403': status(403),
      '/503': status(503),
      '/to': redirectTo,
    })
    const gone = await startSite({})
    closed = gone.authority
    await gone.close()
    names = await zoneServer({ 'inside.test': { A: ['10.0.0.5'] } })
    gateway = await startGateway({
      bundled: true,
      env: { CAPSTAN_ALLOW_PRIVATE: `${site.authority},${closed}`, CAPSTAN_DNS: names.address },
    })
  })
  after(async () => {
    await gateway?.close()
    await names?.close()
    await site?.close()
  })

  async function capture(params: Record<string, unknown>): Promise<{ status: number; body: Answer }> {
    const reply = await gateway.post('/v1/screenshots/capture', params)
    return { status: reply.status, body: reply.json<Answer>() }
  }

  it('gives a png of the window of 1280 by 720 for 1 credit when only the address is said', async () => {
    const { body } = await capture({ url: site.url })
    const { image_base64: picture = '', ...rest } = body.data ?? {}
    const bytes = Buffer.from(picture, 'base64')
    expect(rest).to.deep.equal({ format: 'png', width: 1280, height: 720, full_page: false, size_bytes: bytes.length })
    expect([body.credits_used, body.metadata.provider_used]).to.deep.equal([1, 'chromium'])
    const pixels = await pixelsOf(bytes)
    expect([pixels.width, pixels.height, pixels.at(600, 300)]).to.deep.equal([1280, 720, '#0000ff'])
  })

  it('says the height of a whole page, and the sheet of a pdf', async () => {
    const whole = await capture({ url: site.url, width: 400, height: 300, format: 'webp', full_page: true })
    expect(whole.body.data).to.deep.include({ format: 'webp', width: 400, height: 1500, full_page: true })
    const pdf = await capture({ url: site.url, format: 'pdf' })
    expect(pdf.body.data).to.deep.include({ format: 'pdf', width: 596, height: 842, full_page: false })
    expect(Buffer.from(pdf.body.data?.image_base64 ?? '', 'base64').toString('latin1', 0, 5)).to.equal('%PDF-')
  })

  for (const [path, code] of [
    ['/nothing', 404],
    ['/500', 500],
  ] as const)
    it(`pictures a page of status ${code} and says so`, async () => {
      const { status, body } = await capture({ url: site.url + path })
      expect([status, body.credits_used]).to.deep.equal([200, 1])
      expect(body.metadata.notes).to.deep.equal([`the picture shows an error page: the site answered with status ${code}`])
    })

  it('pictures no page that refuses access or is away for now, and charges nothing', async () => {
    const [refused, away] = [await capture({ url: `${site.url}/403` }), await capture({ url: `${site.url}/503` })]
    expect([refused.status, refused.body.error?.type, refused.body.credits_used]).to.deep.equal([
      422,
      `${gateway.url}/errors/target-blocked`,
      0,
    ])
    expect([away.status, away.body.error?.type, away.body.credits_used]).to.deep.equal([502, `${gateway.url}/errors/target-unavailable`, 0])
  })

  for (const [what, url] of [
    ['a place inside', () => 'http://10.0.0.5/'],
    ['this machine', () => 'http://localhost:9/'],
    ['a redirect inside', () => `${site.url}/to?http://169.254.169.254/latest/`],
    ['a name that leads inside', () => 'http://inside.test/'],
    ['the same over https', () => 'https://inside.test/'],
    ['a redirect to it over https', () => `${site.url}/to?https://inside.test/`],
  ] as const)
    it(`T-18 refuses ${what}: 422 target-blocked, free of charge`, async () => {
      const { status, body } = await capture({ url: url() })
      expect([status, body.error?.type, body.credits_used]).to.deep.equal([422, `${gateway.url}/errors/target-blocked`, 0])
    })

  it('says of an https address that may be opened and takes no connection that it is away', async () => {
    const { status, body } = await capture({ url: `https://${closed}/` })
    expect([status, body.error?.type, body.credits_used]).to.deep.equal([502, `${gateway.url}/errors/target-unavailable`, 0])
  })

  for (const url of [
    'file:///etc/passwd',
    'view-source:http://a.example/',
    'chrome://version',
    'data:text/html,x',
    'javascript:1',
    'about:blank',
    'a.example',
  ])
    it(`T-34 refuses ${url} at url`, async () => {
      const { status, body } = await capture({ url })
      expect([status, body.detail?.map(({ loc }) => loc.join('.'))]).to.deep.equal([422, ['body.url']])
    })

  it('T-35 refuses sizes and formats that it does not have, each at its field', async () => {
    const { status, body } = await capture({ url: site.url, width: 20_000, height: 15, format: 'gif' })
    expect([status, body.detail?.map(({ loc }) => loc.join('.'))]).to.deep.equal([422, ['body.width', 'body.height', 'body.format']])
  })
})

import type { ServerResponse } from 'node:http'
import { expect } from 'chai'
import { httpServer, type Running } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { needsProgram } from '../../test/support/needs.js'
import type { Company } from './contract.js'

interface Found {
  readonly data: Company
  readonly metadata: { readonly notes: readonly string[] }
}

const NAME = '<title>Acme</title><meta name="description" content="Kettles">'
/** Every width and height up to 2^31 in a few bytes of SVG. */
const BOMB = `<svg xmlns="http://www.w3.org/2000/svg" width="2000000000" height="2000000000"><rect width="100%" height="100%" fill="#f00"/></svg>`

describe('companies.find and what domains and pages may hold', function () {
  this.timeout(120_000)
  let world: SiteWorld
  let wikidata: Running
  let key = ''
  const pages: Record<string, { readonly type?: string; readonly body: string | Buffer; readonly status?: number; readonly to?: string }> =
    {}
  let endless = 0

  before(async function () {
    needsProgram(this, 'openssl')
    // It has no companies.
    wikidata = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":{"bindings":[]},"search":[]}')
    })
    world = await SiteWorld.start({
      env: { CAPSTAN_VENDOR_WIKIDATA_URL: wikidata.url },
      zones: {
        'inside.test': { A: ['127.0.0.1'] },
        'inside6.test': { AAAA: ['::1'] },
        'metadata.test': { A: ['169.254.169.254'] },
        'ten.test': { A: ['10.0.0.1'] },
      },
    })
    key = (await world.gateway.newKey()).key
  })
  after(async () => {
    await world?.close()
    await wikidata?.close()
  })
  beforeEach(() => {
    for (const name of Object.keys(pages)) Reflect.deleteProperty(pages, name)
    endless = 0
  })

  /** A separate site for each test: website facts are cached for seconds. */
  async function site(host: string): Promise<string> {
    await world.site(host, (request, response) => {
      const page = pages[`${host}${request.url ?? ''}`]
      if (request.url === '/endless') {
        endless++
        return pour(response)
      }
      const location = page?.to === undefined ? {} : { location: page.to }
      const status = page?.status ?? (page === undefined ? 404 : page.to === undefined ? 200 : 302)
      response.writeHead(status, { 'content-type': page?.type ?? 'text/html', ...location })
      response.end(page?.body ?? '')
    })
    return host
  }

  /** Connections since then that went neither to a site of this test nor to the vendor. */
  const connectedInside = (since: number): string[] =>
    world.connected.slice(since).filter((target) => !target.startsWith('127.0.2.') && target !== `127.0.0.1:${String(wikidata.port)}`)
  const ask = (domain: string) => world.gateway.send('/v1/companies/find', { method: 'POST', body: { domain }, key })
  async function found(domain: string): Promise<Found> {
    const reply = await ask(domain)
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<Found>()
  }
  async function refusal(domain: string): Promise<{ status: number; type: string }> {
    const reply = await ask(domain)
    return { status: reply.status, type: reply.json<{ error: { type: string } | null }>().error?.type.split('/').at(-1) ?? '' }
  }

  for (const domain of [
    'https://acme.test',
    'acme.test/path',
    'acme.test:443',
    'acme',
    'com',
    'acme.test.',
    '.acme.test',
    'a b.test',
    '127.0.0.1',
    '[::1]',
    'a@acme.test',
    '-a.test',
    `${'a'.repeat(64)}.test`,
    'acme..test',
  ])
    it(`${domain} is refused at domain before anything is asked`, async () => {
      const before = world.connected.length
      const reply = await ask(domain)
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.text).to.include('"domain"')
      expect(world.connected.length).to.equal(before)
    })

  for (const domain of ['inside.test', 'inside6.test', 'metadata.test', 'ten.test'])
    it(`${domain} points inside and is not connected to`, async () => {
      const before = world.connected.length
      expect(await refusal(domain)).to.deep.equal({ status: 422, type: 'target-blocked' })
      expect(connectedInside(before)).to.deep.equal([])
    })

  it('a name of mixed script is looked up as the A-labels that it is', async () => {
    // The first letter is Cyrillic.
    await site('xn--cme-5cd.test')
    pages['xn--cme-5cd.test/'] = { body: NAME }
    expect((await found('аcme.test')).data).to.deep.include({ domain: 'xn--cme-5cd.test', website: 'https://xn--cme-5cd.test' })
  })

  it('a name of another script, in capitals or below www. is looked up as A-labels', async () => {
    await site('xn--bcher-kva.test')
    pages['xn--bcher-kva.test/'] = { body: NAME }
    for (const domain of ['bücher.test', 'BÜCHER.test', 'www.bücher.test'])
      expect((await found(domain)).data.domain).to.equal('xn--bcher-kva.test')
  })

  it('a redirect to an address inside is not followed', async () => {
    await site('acme1.test')
    pages['acme1.test/'] = { body: '', to: 'http://127.0.0.1/admin' }
    const before = world.connected.length
    expect(await refusal('acme1.test')).to.deep.equal({ status: 422, type: 'target-blocked' })
    expect(connectedInside(before)).to.deep.equal([])
  })

  it('pictures, manifests and logos that point inside are not connected to', async () => {
    await site('acme2.test')
    const inside = 'http://127.0.0.1/x.png'
    pages['acme2.test/'] = {
      body: `${NAME}<link rel=icon href="${inside}"><link rel=manifest href="${inside}"><link rel=apple-touch-icon href="http://[::1]/a.png"><img class=logo src="http://10.0.0.1/l.png">
        <script type="application/ld+json">{"@type":"Organization","name":"Acme","logo":"http://169.254.169.254/latest"}</script>`,
    }
    const before = world.connected.length
    expect((await found('acme2.test')).data).to.deep.include({ company_name: 'Acme', logo_url: null, icon_url: null })
    expect(connectedInside(before)).to.deep.equal([])
  })

  it('a redirect to another domain is said, and its page is read', async () => {
    await site('acme3.test')
    pages['acme3.test/'] = { body: '', to: 'https://new.test/' }
    await site('new.test')
    pages['new.test/'] = { body: '<title>New – Kettles</title><meta name="description" content="Kettles">' }
    const { data, metadata } = await found('acme3.test')
    expect(data).to.deep.include({ company_name: 'New', domain: 'acme3.test', website: 'https://new.test' })
    expect(metadata.notes).to.include('acme3.test redirects to new.test.')
  })

  it('a redirect to a page at a network is not taken for the network', async () => {
    await site('acme9.test')
    pages['acme9.test/'] = { body: '', to: 'https://medium.com/acme' }
    await site('medium.com')
    pages['medium.com/acme'] = { body: '<title>Acme – Medium</title><meta property="og:site_name" content="Medium">' }
    expect(await refusal('acme9.test')).to.deep.equal({ status: 422, type: 'no-result' })
  })

  it('a parked domain gives no company, and says why', async () => {
    await site('acme4.test')
    pages['acme4.test/'] = { body: '<title>acme4.test</title><meta name="description" content="x"><h1>This domain is for sale!</h1>' }
    const reply = await ask('acme4.test')
    expect(reply.status).to.equal(422)
    expect(reply.text).to.include('offers the domain for sale')
  })

  const bad: readonly [string, { body: string; type?: string; status?: number }, string][] = [
    ['a page of more than 5 MB', { body: `${NAME}${'<p>x</p>'.repeat(700_000)}` }, 'target-blocked'],
    ['a server that is out of order', { body: NAME, status: 500 }, 'target-unavailable'],
    ['a refusal', { body: NAME, status: 403 }, 'target-blocked'],
    ['a file', { body: '%PDF-1.7', type: 'application/pdf' }, 'no-result'],
    ['an empty page', { body: '' }, 'no-result'],
  ]
  for (const [place, [what, page, type]] of bad.entries())
    it(`${what} in place of a home page ends in a plain answer`, async () => {
      const host = await site(`bad${String(place)}.test`)
      pages[`${host}/`] = page
      expect(await refusal(host)).to.deep.equal({ status: type === 'target-unavailable' ? 502 : 422, type })
    })

  it('a manifest without end, icons that are bombs or pages, and structured data that lies are left out', async () => {
    await site('acme6.test')
    pages['acme6.test/'] = {
      body: `${NAME}<link rel=manifest href=/endless><link rel=icon href=/bomb.svg type="image/svg+xml"><link rel=apple-touch-icon href=/page.png>
        <script type="application/ld+json">{"@type":"Organization","name":{"a":1},"foundingDate":"9999","numberOfEmployees":"-5","address":[[]],"logo":{"url":7},"sameAs":["javascript:alert(1)","https://x.com.evil.test/acme","//"]}</script>`,
    }
    pages['acme6.test/page.png'] = { body: '<p>no</p>', type: 'image/png' }
    pages['acme6.test/bomb.svg'] = { body: BOMB, type: 'image/svg+xml' }
    const { data } = await found('acme6.test')
    expect(endless).to.equal(1)
    expect(data).to.deep.include({
      company_name: 'Acme',
      founded_year: null,
      employees: null,
      headquarters: null,
      social_links: {},
      twitter_handle: null,
    })
    expect(data.logo_url).to.be.oneOf([null, 'https://acme6.test/bomb.svg'])
    expect(data.icon_url).not.to.equal('https://acme6.test/page.png')
  })

  it('a page of half a million elements of every kind is read in time', async () => {
    await site('acme7.test')
    pages['acme7.test/'] = { body: `${NAME}${'<footer><address>1 a, b'.repeat(50_000)}${'<img class=logo src=/x.png>'.repeat(40_000)}` }
    const reply = await ask('acme7.test')
    expect(reply.status).to.be.oneOf([200, 422])
  })
})

/** Sends a manifest without end. */
function pour(response: ServerResponse): void {
  response.on('error', () => undefined)
  response.writeHead(200, { 'content-type': 'application/manifest+json' })
  const go = (): void => {
    if (response.destroyed) return
    if (response.write('{"name":"'.padEnd(65_536, 'x'))) setImmediate(go)
    else response.once('drain', go)
  }
  go()
}

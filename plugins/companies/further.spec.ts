import { expect } from 'chai'
import { httpServer, type Running } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { needsProgram } from '../../test/support/needs.js'
import type { Company } from './contract.js'
import { furtherKind, furtherLinks } from './site/further-links.js'

const LINK = (href: string, text = '') => ({ href, text })

describe('companies: pages that say more than the home page', () => {
  for (const [href, text, kind] of [
    ['/x', 'About us', 'about'],
    ['/x', '  Über   uns ', 'about'],
    ['/ueber-uns.html', 'Mehr', 'about'],
    ['/fr/%C3%A0-propos/', '', 'about'],
    ['/x', 'Quiénes somos', 'about'],
    ['/x', '会社概要', 'about'],
    ['/x', 'Hakkımızda', 'about'],
    ['/x', 'Impressum', 'imprint'],
    ['/mentions-legales', 'Infos', 'imprint'],
    ['/x', 'Kontakt', 'contact'],
    ['/contact-us?x=1#form', '', 'contact'],
    ['/x', 'О компании', 'about'],
    ['/about/press', 'Press', null],
    ['/x', 'About our new kettle', null],
    ['/%E0%A4%A', '', null],
    ['', '', null],
  ] as const)
    it(`${JSON.stringify(text)} to ${href === '' ? 'nothing' : href} is ${String(kind)}`, () =>
      expect(furtherKind(LINK(href, text))).to.equal(kind))

  it('are two of the same host: about the company, and the imprint or else where to reach it', () => {
    const base = 'https://acme.test/en/'
    const all = [
      LINK('contact'),
      LINK('/impressum'),
      LINK('../about#team'),
      LINK('/about'),
      LINK('//other.test/about'),
      LINK('/en/', 'About'),
    ]
    expect(furtherLinks(all, base, base).map(({ url }) => url)).to.deep.equal(['https://acme.test/about', 'https://acme.test/impressum'])
    expect(furtherLinks([LINK('/kontakt'), LINK('/imprint')], base, base).map(({ kind }) => kind)).to.deep.equal(['imprint', 'contact'])
    const foreign = [
      'https://www.acme.test/about',
      'https://acme.test:8443/about',
      'https://u@acme.test/about',
      'http://127.0.0.1/about',
      'javascript:about',
    ]
    expect(
      furtherLinks(
        foreign.map((href) => LINK(href, 'About')),
        base,
        base,
      ),
    ).to.deep.equal([])
    expect(furtherLinks([LINK('about')], 'http://127.0.0.1/', base)).to.deep.equal([])
  })
})

describe('companies.find reads about pages and imprints', function () {
  this.timeout(120_000)
  let world: SiteWorld
  let wikidata: Running
  let key = ''
  let asked: string[] = []
  let pages: Record<string, { readonly body?: string; readonly status?: number; readonly to?: string; readonly type?: string }> = {}

  before(async function () {
    needsProgram(this, 'openssl')
    wikidata = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"results":{"bindings":[]},"search":[]}')
    })
    world = await SiteWorld.start({ env: { CAPSTAN_VENDOR_WIKIDATA_URL: wikidata.url } })
    key = (await world.gateway.newKey()).key
  })
  after(async () => {
    await world?.close()
    await wikidata?.close()
  })
  beforeEach(() => (asked = []))

  async function found(host: string, given: typeof pages): Promise<{ data: Company; metadata: { notes: string[] } }> {
    pages = given
    await world.site(host, (request, response) => {
      asked.push(request.url ?? '')
      const page = pages[request.url ?? '']
      const location = page?.to === undefined ? {} : { location: page.to }
      response.writeHead(page?.status ?? (page === undefined ? 404 : page.to === undefined ? 200 : 302), {
        'content-type': page?.type ?? 'text/html; charset=utf-8',
        ...location,
      })
      response.end(page?.body ?? '')
    })
    const reply = await world.gateway.send('/v1/companies/find', { method: 'POST', body: { domain: host }, key })
    expect(reply.status, reply.text).to.equal(200)
    return reply.json()
  }
  const home = (links: string) => ({ body: `<title>Acme</title><meta name="description" content="Kettles"><h1>Kettles</h1>${links}` })

  it('for the year of foundation and the address, once each, and nothing else of the site', async () => {
    const { data, metadata } = await found('acme1.test', {
      '/': home(
        '<a href="/ueber-uns">Über uns</a><a href="/impressum">Impressum</a><a href="/kontakt">Kontakt</a><a href="/shop">Shop</a>',
      ),
      '/ueber-uns': { body: '<p>Acme wurde gegründet 1998 in Berlin.</p>' },
      '/impressum': {
        body: '<h1>Impressum</h1><p>Im Jahr 2015 Acme zog um.</p><p>Acme GmbH<br>Hauptstraße 5<br>10115 Berlin</p><p>Tel. 030 1234</p>',
      },
    })
    expect(data).to.deep.include({ founded_year: 1998, headquarters: 'Hauptstraße 5, 10115 Berlin' })
    expect(asked.filter((path) => !path.includes('ico')).sort()).to.deep.equal(['/', '/impressum', '/ueber-uns'])
    expect(metadata.notes.find((note) => note.startsWith('From website:')))
      .to.include('founded_year')
      .and.to.include('headquarters')
  })

  it('takes what the home page says first, and structured data of a page where to reach the company', async () => {
    const organization = {
      '@type': 'Organization',
      name: 'Acme',
      foundingDate: '1950',
      numberOfEmployees: 12,
      address: { streetAddress: '1 rue X', postalCode: '69001', addressLocality: 'Lyon' },
    }
    const { data } = await found('acme2.test', {
      '/': home('<p>Founded in 2009.</p><a href="/contact">Contact us</a>'),
      '/contact': { body: `<script type="application/ld+json">${JSON.stringify(organization)}</script><p>Write to us.</p>` },
    })
    expect(data).to.deep.include({ founded_year: 2009, headquarters: '1 rue X, 69001 Lyon', employees: 12, company_size: '11-50' })
  })

  it('T-23 a page that redirects inside, or to another host, is a remark, and nothing inside is connected to', async () => {
    const before = world.connected.length
    const { data, metadata } = await found('acme3.test', {
      '/': home('<a href="/about">About</a><a href="/contact">Contact</a><a href="http://10.0.0.1/imprint">Imprint</a>'),
      '/about': { to: 'http://127.0.0.1/admin' },
      '/contact': { to: 'http://169.254.169.254/latest' },
    })
    expect(data).to.deep.include({ company_name: 'Acme', founded_year: null })
    expect(metadata.notes.filter((note) => note.includes('was not read'))).to.have.length(2)
    const vendor = `127.0.0.1:${String(wikidata.port)}`
    expect(world.connected.slice(before).filter((target) => !target.startsWith('127.0.2.') && target !== vendor)).to.deep.equal([])
  })

  it('pages that are not there, are no pages or are too large are remarks', async () => {
    const { data, metadata } = await found('acme4.test', {
      '/': home('<a href="/about">About</a><a href="/imprint">Imprint</a>'),
      '/about': { status: 404 },
      '/imprint': { type: 'application/pdf', body: '%PDF-1.7' },
    })
    expect(data.company_name).to.equal('Acme')
    expect(metadata.notes).to.include.members([
      'website: https://acme4.test/about was not read: it answered with status 404.',
      'website: https://acme4.test/imprint was not read: it is not an HTML page.',
    ])
    const large = await found('acme5.test', { '/': home('<a href="/about">About</a>'), '/about': { body: '<p>x</p>'.repeat(300_000) } })
    expect(large.metadata.notes.join()).to.include('https://acme5.test/about was not read: ')
  })
})

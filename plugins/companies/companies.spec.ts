import { expect } from 'chai'
import sharp from 'sharp'
import { httpServer, type Running } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { needsProgram } from '../../test/support/needs.js'
import type { Company } from './contract.js'

const PAGE = `<!doctype html><html lang="en"><head><title>Acme – Kettles for cafés</title>
<meta name="description" content="Acme makes kettles that boil in a minute."><meta property="og:site_name" content="Acme">
<meta name="theme-color" content="#c81e1e"><meta name="generator" content="WordPress 6.5"><link rel="manifest" href="/app.webmanifest">
<link rel="icon" href="/icon.png" sizes="32x32"><link rel="apple-touch-icon" href="/touch.png">
<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Corporation',
  name: 'Acme',
  url: 'https://acme.test/',
  logo: '/logo.png',
  foundingDate: '2009-04-01',
  numberOfEmployees: { '@type': 'QuantitativeValue', value: 120 },
  address: { '@type': 'PostalAddress', streetAddress: '1 rue X', postalCode: '69001', addressLocality: 'Lyon', addressCountry: 'FR' },
  sameAs: ['https://www.linkedin.com/company/acme/', 'https://x.com/acme'],
  tickerSymbol: 'XPAR:ACM',
})}</script></head><body><header><img src="/logo.png" alt="Acme logo"></header><h1>Kettles for cafés</h1>
<p>${'We make kettles for small cafés that want to serve tea fast. '.repeat(4)}</p>
<footer><a href="https://www.instagram.com/acme.kettles/">Instagram</a><p>© 2010-2026 Acme</p></footer></body></html>`

const item = (id: string) => ({ snaktype: 'value', datavalue: { type: 'wikibase-entityid', value: { 'entity-type': 'item', id } } })
const text = (value: string) => ({ snaktype: 'value', datavalue: { type: 'string', value } })
const amount = (value: string, unit = '1') => ({ snaktype: 'value', datavalue: { type: 'quantity', value: { amount: value, unit } } })
const year = (digits: string) => ({
  snaktype: 'value',
  datavalue: { type: 'time', value: { time: `+${digits}-00-00T00:00:00Z`, precision: 9 } },
})
const claim = (mainsnak: unknown, qualifiers = {}) => ({ mainsnak, rank: 'normal', qualifiers })
const CLAIMS = {
  P856: [claim(text('https://www.acme.test/'))],
  P571: [claim(year('2008'))],
  P452: [claim(item('Q10'))],
  P159: [claim(item('Q11'))],
  P17: [claim(item('Q12'))],
  P1128: [claim(amount('+90'), { P585: [year('2015')] }), claim(amount('+130'), { P585: [year('2024')] })],
  P2139: [claim(amount('+12500000', 'http://www.wikidata.org/entity/Q4917'), { P585: [year('2023')] })],
  P414: [claim(item('Q13'), { P249: [text('ACM')] })],
  P1454: [claim(item('Q14'))],
}
const label = (id: string, value: string) => ({ type: 'item', id, labels: { en: { language: 'en', value } } })

/** The used part of Wikidata's API, which records its requests. */
async function wikidata(asked: string[]): Promise<Running> {
  return await httpServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    asked.push(url.pathname)
    const ids = url.searchParams.get('ids')
    const found = url.searchParams.get('query')?.includes('<https://acme.test/>') === true
    const bindings = found ? [{ item: { type: 'uri', value: 'http://www.wikidata.org/entity/Q1' } }] : []
    const first = {
      id: 'Q1',
      labels: { en: { value: 'Acme' } },
      descriptions: { en: { value: 'French maker of kettles' } },
      claims: CLAIMS,
    }
    const names = ['kettle industry', 'Lyon', 'France', 'Euronext Paris', 'public limited company'].map((name, at) =>
      label(`Q1${String(at)}`, name),
    )
    const entities = ids === 'Q1' ? { Q1: first } : Object.fromEntries(names.map((each) => [each.id, each]))
    const body =
      url.pathname === '/sparql' ? { head: { vars: ['item'] }, results: { bindings } } : ids === null ? { search: [] } : { entities }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
}

async function square(background: string): Promise<Buffer> {
  return await sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer()
}

describe('companies.find without a vendor account', function () {
  this.timeout(120_000)
  let world: SiteWorld
  const asked: string[] = []
  const closers: (() => Promise<void>)[] = []

  before(async function () {
    needsProgram(this, 'openssl')
    const open = await wikidata(asked)
    closers.push(() => open.close())
    world = await SiteWorld.start({ env: { CAPSTAN_VENDOR_WIKIDATA_URL: open.url } })
    const [logo, icon] = [await square('#1e3ac8'), await square('#c81e1e')]
    await world.site('acme.test', (request, response) => {
      const files: Record<string, readonly [string, string | Buffer]> = {
        '/': ['text/html; charset=utf-8', PAGE],
        '/logo.png': ['image/png', logo],
        '/touch.png': ['text/html', '<p>no picture</p>'],
        '/icon.png': ['image/png', icon],
        '/app.webmanifest': ['application/manifest+json', JSON.stringify({ name: 'Acme', theme_color: '#c81e1e', icons: [] })],
      }
      const [type, body] = files[request.url ?? ''] ?? ['text/plain', '']
      response.writeHead(body === '' ? 404 : 200, { 'content-type': type }).end(body)
    })
  })
  after(async () => {
    await world?.close()
    for (const close of closers) await close()
  })

  it('N10 a suffix with a site of its own is a company, with www. and without', async () => {
    await world.site('nhs.uk', (_request, response) => response.writeHead(301, { location: 'https://www.nhs.uk/' }).end())
    await world.site('www.nhs.uk', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE.replaceAll('Acme', 'Health').replaceAll('acme.test', 'nhs.uk'))
    })
    for (const domain of ['nhs.uk', 'www.nhs.uk']) {
      const reply = await world.gateway.post('/v1/companies/find', { domain })
      expect(reply.status, reply.text).to.equal(200)
      const { data, metadata } = reply.json<{ data: Company; metadata: { notes: string[] } }>()
      expect(data).to.include({ company_name: 'Health', domain: 'nhs.uk' })
      expect(metadata.notes.filter((note) => note.includes('redirects to'))).to.deep.equal([])
    }
  })

  it('tells the whole record from the website and Wikidata, and where each field is from', async () => {
    asked.length = 0
    const reply = await world.gateway.post('/v1/companies/find', { domain: 'acme.test' })
    expect(reply.status, reply.text).to.equal(200)
    const { data, metadata } = reply.json<{ data: Company; metadata: { notes: string[]; provider_used: string } }>()
    expect(data).to.deep.equal({
      company_name: 'Acme',
      domain: 'acme.test',
      description: 'French maker of kettles',
      industry: 'kettle industry',
      company_size: '51-200',
      headquarters: 'Lyon, France',
      website: 'https://acme.test',
      founded_year: 2008,
      employees: 130,
      annual_revenue: 12_500_000,
      annual_revenue_printed: '12.5M USD',
      total_funding: null,
      total_funding_printed: null,
      latest_funding_stage: null,
      publicly_traded_symbol: 'ACM',
      publicly_traded_exchange: 'Euronext Paris',
      twitter_handle: 'acme',
      linkedin_handle: 'acme',
      instagram_handle: 'acme.kettles',
      social_links: {
        instagram: 'https://www.instagram.com/acme.kettles',
        twitter: 'https://x.com/acme',
        linkedin: 'https://www.linkedin.com/company/acme',
      },
      technology_names: data.technology_names,
      primary_brand_color: '#c81e1e',
      secondary_brand_color: '#1e3ac8',
      logo_url: 'https://acme.test/logo.png',
      icon_url: 'https://acme.test/icon.png',
      company_kind: 'PUBLIC_COMPANY',
      is_claimed: null,
      value_proposition: null,
      ideal_customers: null,
    })
    expect(data.technology_names).to.include('WordPress')
    expect(metadata.provider_used).to.equal('merged')
    expect(metadata.notes).to.deep.equal([
      'From wikidata: company_name, description, industry, headquarters, founded_year, employees, publicly_traded_symbol, company_kind, annual_revenue, company_size.',
      'From website: technology_names, primary_brand_color, logo_url, icon_url, website, social_links.',
      'headquarters: wikidata says Lyon, France, website says 1 rue X, 69001 Lyon, FR.',
      'founded_year: wikidata says 2008, website says 2009.',
      'employees: wikidata says 130, website says 120.',
      'employees: as of 2024 (wikidata).',
      'annual_revenue: as of 2023 (wikidata).',
    ])
    expect(asked).to.deep.equal(['/sparql', '/w/api.php', '/w/api.php'])
  })
})

import { expect } from 'chai'
import { httpServer, type Running } from '../../core/sdk/testkit/index.js'
import { SiteWorld } from '../../test/support/site-world.js'
import { needsProgram } from '../../test/support/needs.js'
import type { Company } from './contract.js'

type Says = Readonly<Record<string, unknown>> | number
interface Found {
  readonly data: Company
  readonly metadata: { readonly notes: readonly string[]; readonly providers_tried: readonly string[]; readonly provider_used: string }
}

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const PAGE = `<title>Acme</title><meta name="description" content="Kettles"><link rel=icon href=/icon.png>
<p>${'Acme makes 3 kinds of kettles for cafés that want tea fast. '.repeat(5)}</p>`

const TCA = {
  about: { name: 'Acme', totalEmployeesExact: 120, yearFounded: 2009, industry: 'software', businessType: 'privately-held' },
  domain: { domain: 'acme.test' },
  finances: { revenue: '10m-50m' },
  technologies: { active: ['cloudflare'] },
  assets: { logoSquare: { src: 'https://gone.test/logo.png' } },
}
const PDL = { status: 200, display_name: 'ACME', employee_count: 140, founded: 2010, website: 'acme.test', total_funding_raised: 12e6 }
const APOLLO = {
  organization: {
    id: 'o',
    name: 'Acme Holding',
    primary_domain: 'acme.test',
    estimated_num_employees: 90,
    technology_names: ['Cloudflare', 'React'],
  },
}
const BRAND = {
  name: 'Acme',
  domain: 'acme.test',
  claimed: true,
  colors: [{ hex: '#112233', type: 'accent' }],
  logos: [{ type: 'logo', formats: [{ src: 'https://acme.test/page', format: 'svg' }] }],
}

describe('companies.find with vendors', function () {
  this.timeout(120_000)
  let world: SiteWorld
  let vendors: Running
  let key = ''
  const says: Record<string, Says> = {}
  let model: unknown = null
  const models: string[] = []
  /** Requests are held until so many are waiting; then all are answered. */
  let gate = { wanted: 0, held: [] as (() => void)[] }

  before(async function () {
    needsProgram(this, 'openssl')
    vendors = await httpServer((request, response) => {
      const [, vendor = ''] = (request.url ?? '').split('/')
      const answer = (): void => {
        const reply = vendor === 'model' ? completion(model) : (says[vendor] ?? 404)
        response.writeHead(typeof reply === 'number' ? reply : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(typeof reply === 'number' ? {} : reply))
      }
      let body = ''
      request.on('data', (piece: Buffer) => (body += piece.toString()))
      request.on('end', () => {
        if (vendor === 'model') models.push(body)
        if (gate.wanted === 0 || vendor === 'model') return answer()
        gate.held.push(answer)
        if (gate.held.length < gate.wanted) return
        gate.wanted = 0
        for (const go of gate.held) go()
      })
    })
    const at = (vendor: string): string => `${vendors.url}/${vendor}`
    world = await SiteWorld.start({
      env: {
        THECOMPANIESAPI_API_KEY: 'k',
        PEOPLEDATALABS_API_KEY: 'k',
        APOLLO_API_KEY: 'k',
        BRANDFETCH_API_KEY: 'k',
        CAPSTAN_VENDOR_THECOMPANIESAPI_URL: at('tca'),
        CAPSTAN_VENDOR_PEOPLEDATALABS_URL: at('pdl'),
        CAPSTAN_VENDOR_APOLLO_URL: at('apollo'),
        CAPSTAN_VENDOR_BRANDFETCH_URL: at('brand'),
        CAPSTAN_VENDOR_WIKIDATA_URL: at('wikidata'),
        CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: at('model'),
        CAPSTAN_OPENAI_COMPATIBLE_MODEL: 'local',
      },
    })
    key = (await world.gateway.newKey()).key
    await world.site('acme.test', (request, response) => {
      const picture = request.url === '/icon.png'
      response.writeHead(200, { 'content-type': picture ? 'image/png' : 'text/html' }).end(picture ? PNG : PAGE)
    })
  })
  after(async () => {
    await world?.close()
    await vendors?.close()
  })
  beforeEach(() => {
    for (const name of Object.keys(says)) Reflect.deleteProperty(says, name)
    model = { value_proposition: null, ideal_customers: null }
    models.length = 0
    gate = { wanted: 0, held: [] }
  })

  const ask = (body: unknown) => world.gateway.send('/v1/companies/find', { method: 'POST', body, key })
  async function found(domain = 'acme.test'): Promise<Found> {
    const reply = await ask({ domain })
    expect(reply.status, reply.text).to.equal(200)
    return reply.json<Found>()
  }

  it('three that disagree: the first says, and remarks tell who said what', async () => {
    Object.assign(says, { tca: TCA, pdl: PDL, apollo: APOLLO })
    const { data, metadata } = await found()
    expect(data).to.deep.include({
      company_name: 'Acme',
      employees: 120,
      company_size: '51-200',
      founded_year: 2009,
      annual_revenue: 10_000_000,
      annual_revenue_printed: '10M-50M USD',
      total_funding: 12_000_000,
      total_funding_printed: '12M USD',
      company_kind: 'PRIVATELY_HELD',
      technology_names: ['cloudflare', 'React'],
      website: 'https://acme.test',
    })
    expect(metadata.notes).to.include.members([
      'company_name: thecompaniesapi says Acme, peopledatalabs says ACME, apollo says Acme Holding, website says Acme.',
      'founded_year: thecompaniesapi says 2009, peopledatalabs says 2010.',
      'employees: thecompaniesapi says 120, peopledatalabs says 140, apollo says 90.',
      'annual_revenue: the lower end of a band (thecompaniesapi).',
      'From peopledatalabs: total_funding.',
      'From apollo: technology_names.',
    ])
    expect(metadata.notes.find((note) => note.startsWith('From thecompaniesapi:')))
      .to.include('employees')
      .and.include('company_size')
    expect(metadata.providers_tried).to.include.members([
      'thecompaniesapi',
      'peopledatalabs',
      'apollo',
      'wikidata',
      'brandfetch',
      'website',
    ])
    expect(metadata.provider_used).to.equal('merged')
  })

  it('a logo whose address does not answer, or answers with a page, gives way to the next', async () => {
    Object.assign(says, { tca: TCA, brand: BRAND })
    const { data } = await found()
    expect(data).to.deep.include({
      is_claimed: true,
      primary_brand_color: '#112233',
      logo_url: null,
      icon_url: 'https://acme.test/icon.png',
    })
  })

  it('a record of another domain is left out', async () => {
    Object.assign(says, { apollo: { organization: { ...APOLLO.organization, primary_domain: 'other.example' } } })
    const { data, metadata } = await found()
    expect(data).to.deep.include({ company_name: 'Acme', employees: null })
    expect(metadata.notes).to.include('apollo: its record is about other.example and is left out.')
  })

  it('a model writes what no vendor has; a figure or address that the page does not state strikes its answer', async () => {
    model = {
      value_proposition: 'Acme makes 3 kinds of kettles, so that cafés serve tea fast.',
      ideal_customers: 'Cafés with 5000 guests a day.',
    }
    const { data, metadata } = await found()
    expect(data).to.deep.include({
      value_proposition: 'Acme makes 3 kinds of kettles, so that cafés serve tea fast.',
      ideal_customers: null,
    })
    expect(metadata.notes.join()).to.include('written by a model')
    expect(models).to.have.length(1)
    model = { value_proposition: 'Buy it at https://evil.example now.', ideal_customers: 'Everybody <b>' }
    expect((await found()).data).to.deep.include({ value_proposition: null })
  })

  it('no model is asked where a vendor knows the positioning; one without a usable answer is a remark', async () => {
    says['brand'] = {
      ...BRAND,
      positioning: { value_proposition: 'Tea, fast.', target_audience: [{ segment: 'Cafés' }, { segment: 'Offices' }] },
    }
    expect((await found()).data).to.deep.include({ value_proposition: 'Tea, fast.', ideal_customers: 'Cafés, Offices' })
    expect(models).to.have.length(0)
    says['brand'] = BRAND
    model = { nonsense: true }
    const { data, metadata } = await found()
    expect(data.value_proposition).to.equal(null)
    expect(metadata.notes.join()).to.include('value_proposition and ideal_customers')
  })

  it('all vendors are asked before any of them has answered', async () => {
    Object.assign(says, { tca: TCA, pdl: PDL, apollo: APOLLO })
    // Three firmographics vendors, Wikidata's query service and Brandfetch: none is answered until all five are
    // waiting.
    gate = { wanted: 5, held: [] }
    const { metadata } = await found()
    expect(metadata.providers_tried).to.include.members(['thecompaniesapi', 'peopledatalabs', 'apollo', 'wikidata', 'brandfetch'])
  })

  it('a domain that nobody knows and that does not answer is no result and costs nothing', async () => {
    const before = await world.gateway.money()
    const reply = await ask({ domain: 'nobody.test' })
    expect(reply.status, reply.text).to.equal(422)
    expect(reply.json<{ error: { type: string } }>().error.type).to.match(/no-result$/)
    expect(await world.gateway.money()).to.deep.equal(before)
  })

  it('is a failure of vendors, for nothing, when all failed and the website does not answer, and no result once one knows no company', async () => {
    let asked = 0
    await world.site('down.test', (_request, response) => {
      asked++
      response.writeHead(500).end()
    })
    const before = await world.gateway.money()
    Object.assign(says, { tca: 500, pdl: 500, apollo: 500, wikidata: 500, brand: 500 })
    const failed = await ask({ domain: 'down.test' })
    expect(failed.status, failed.text).to.equal(502)
    expect(failed.text).to.include('providers-failed')
    expect(asked).to.equal(1, 'the website is asked once')
    Object.assign(says, { tca: 404 })
    const nobody = await ask({ domain: 'down.test' })
    expect(nobody.status, nobody.text).to.equal(422)
    expect(nobody.text).to.include('no-result')
    expect(await world.gateway.money()).to.deep.equal(before)
  })

  it('B3 vendors that fail outweigh a website without a name and an encyclopedia without an entry', async () => {
    await world.site('plain.test', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello')
    })
    const { balance } = await world.gateway.money()
    const out = { tca: 429, pdl: 500, apollo: 401 }
    Object.assign(says, { ...out, wikidata: { search: [], results: { bindings: [] }, entities: {} } })
    for (const _ of [1, 2]) {
      const reply = await ask({ domain: 'plain.test' })
      expect(reply.status, reply.text).to.equal(502)
      expect(reply.json().error).to.include({ is_retriable: true })
    }
    expect((await world.gateway.money()).balance).to.equal(balance)
  })

  it('vendors that fail leave a part out, with a remark, and the rest is returned', async () => {
    Object.assign(says, { tca: 500, pdl: 429, apollo: 401, wikidata: 500, brand: 403 })
    const { data, metadata } = await found()
    expect(data).to.deep.include({ company_name: 'Acme', description: 'Kettles', employees: null, is_claimed: null })
    expect(metadata.notes).to.include('firmographics: nobody had an answer; this part is left out.')
  })
})

function completion(answer: unknown) {
  const message = { role: 'assistant', content: JSON.stringify(answer) }
  return { id: 'c', object: 'chat.completion', created: 1, model: 'local', choices: [{ index: 0, finish_reason: 'stop', message }] }
}

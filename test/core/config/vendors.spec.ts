import { expect } from 'chai'
import { plugin, Type, vendor, or, type Vendor } from '../../../core/sdk/index.js'
import type { KnownNames } from '../../../core/config/types.js'
import { configFolder, type ConfigFolder } from '../../support/config.js'

const settings = Type.Object({
  model: or(Type.String({ description: 'Which model.' }), 'small'),
  tries: or(Type.Integer({ minimum: 1 }), 2),
  countries: or(Type.Array(Type.String()), []),
  fast: or(Type.Boolean(), false),
})
const acme: Vendor = vendor({
  id: 'acme-ai',
  title: 'Acme',
  baseUrl: 'https://api.acme.example',
  secrets: { api_key: 'ACME_API_KEY' },
  optionalSecrets: { org: 'ACME_ORG' },
  settings,
})
const search = plugin({
  name: 'search',
  version: '1.0.0',
  sdk: 2,
  title: 'Search',
  settings: Type.Object({ pages: or(Type.Integer(), 3) }),
})
const known: KnownNames = {
  vendors: [acme, vendor({ id: 'scraper', title: 'Scraper' })],
  plugins: [search],
  ports: ['search.serp'],
  prices: new Map([['search', { serp: 1, ai: 2 }]]),
  serving: new Map([['search.serp', ['acme-ai']]]),
  programs: ['bwrap'],
}

describe('configuration of vendors and plugins', () => {
  let folder: ConfigFolder
  beforeEach(() => (folder = configFolder()))
  afterEach(() => folder.done())

  it('without anything: no address, the missing variables of required secrets, defaults', () => {
    const { secrets, ...rest } = folder.load(null).vendor(acme)
    expect(rest).to.deep.equal({ url: null, missing: ['ACME_API_KEY'], settings: { model: 'small', tries: 2, countries: [], fast: false } })
    expect([...secrets]).to.deep.equal([])
  })

  it('from the file, in types of the schema', () => {
    const config = folder.load(
      'vendors:\n  acme-ai:\n    url: https://own.example/v1/\n    api_key: k1\n    org: 0012\n    tries: 5\n    fast: true\n    countries: [de, fr]\nplugins:\n  acme-ai: {model: large}\n  search: {pages: 9}\n',
    )
    const { secrets, ...rest } = config.vendor(acme)
    expect(rest).to.deep.equal({
      url: 'https://own.example/v1',
      missing: [],
      settings: { model: 'large', tries: 5, countries: ['de', 'fr'], fast: true },
    })
    expect([...secrets]).to.deep.equal([
      ['api_key', 'k1'],
      ['org', '0012'],
    ])
    expect(config.plugin(search)).to.deep.equal({ pages: 9 })
    expect(config.problems(known)).to.deep.equal([])
  })

  it('variables win over the file', () => {
    const env = {
      CAPSTAN_VENDOR_ACME_AI_URL: 'http://127.0.0.1:1',
      ACME_API_KEY: 'k2',
      CAPSTAN_ACME_AI_TRIES: '7',
      CAPSTAN_ACME_AI_COUNTRIES: 'it, es',
      CAPSTAN_ACME_AI_FAST: 'yes',
      CAPSTAN_SEARCH_PAGES: '4',
    }
    const config = folder.load('vendors:\n  acme-ai: {url: https://own.example, api_key: k1, tries: 5}\n', env)
    expect(config.vendor(acme)).to.deep.include({
      url: 'http://127.0.0.1:1',
      settings: { model: 'small', tries: 7, countries: ['it', 'es'], fast: true },
    })
    expect(config.vendor(acme).secrets.get('api_key')).to.equal('k2')
    expect(config.plugin(search)).to.deep.equal({ pages: 4 })
    expect(config.problems(known)).to.deep.equal([])
  })

  it('T-67 a vendor is given its declared secrets and no others', () => {
    const config = folder.load(null, { ACME_API_KEY: 'k', OTHER_API_KEY: 'o' })
    expect([...config.vendor(acme).secrets.keys()]).to.deep.equal(['api_key'])
  })

  it('orders: the variable, then the file, then config/waterfall.json, with who gave it', () => {
    const file = 'waterfall:\n  search: {serp: [exa, brave]}\n  search.answer: -exa\n'
    expect(folder.load(null).waterfall('files.convert')).to.deep.equal({
      order: folder.load(null).defaultOrder('files.convert'),
      source: 'default',
    })
    expect(folder.load(null).defaultOrder('files.convert')).to.include('pandoc')
    expect(folder.load(null).waterfall('search.serp'), 'by rank').to.equal(null)
    expect(folder.load(file).waterfall('search.serp')).to.deep.equal({ order: ['exa', 'brave'], source: 'file' })
    expect(folder.load(file).waterfall('search.answer')).to.deep.equal({ order: ['-exa'], source: 'file' })
    expect(folder.load(file, { CAPSTAN_WATERFALL_SEARCH_SERP: 'tavily, -exa' }).waterfall('search.serp')).to.deep.equal({
      order: ['tavily', '-exa'],
      source: 'variable',
    })
  })

  it('prices are flat or by row', () => {
    const config = folder.load('prices:\n  search: {serp: 0.5, ai: 3}\n  domains: 2\n')
    expect([config.prices('search'), config.prices('domains'), config.prices('scrape')]).to.deep.equal([
      { serp: 0.5, ai: 3 },
      { call: 2 },
      null,
    ])
  })

  const wrong: [string, string, Record<string, string>, string, RegExp][] = [
    [
      'an unknown vendor',
      'vendors:\n  acme-io: {url: http://x}\n',
      {},
      'capstan.yml:2:3',
      /unknown vendor acme-io; did you mean acme-ai\?/,
    ],
    ['an unknown setting of a vendor', 'vendors:\n  acme-ai: {api_kye: x}\n', {}, 'capstan.yml:2:13', /did you mean api_key\?/],
    ['a secret that is a list', 'vendors:\n  acme-ai: {api_key: [x]}\n', {}, 'capstan.yml:2:22', /must be a text/],
    ['a wrong setting in the file', 'vendors:\n  acme-ai: {tries: 0}\n', {}, 'capstan.yml:2:20', /tries must be (?:at least|from) 1/],
    [
      'a wrong setting in a variable',
      '',
      { CAPSTAN_ACME_AI_TRIES: 'many' },
      'CAPSTAN_ACME_AI_TRIES',
      /tries must be a whole number, not a text/,
    ],
    ['an unknown plugin', 'plugins:\n  serch: {pages: 1}\n', {}, 'capstan.yml:2:3', /did you mean search\?/],
    ['an unknown port', 'waterfall:\n  search.srep: [acme-ai]\n', {}, 'capstan.yml:2:3', /did you mean search\.serp\?/],
    ['an unknown vendor in an order', 'waterfall:\n  search.serp: [acme]\n', {}, 'capstan.yml:2:3', /unknown vendor acme/],
    [
      'a vendor that serves another port',
      'waterfall:\n  search.serp: [acme-ai, scraper]\n',
      {},
      'capstan.yml:2:3',
      /waterfall\.search\.serp names scraper, which does not serve search\.serp; those that do: acme-ai$/,
    ],
    [
      'the same left out in a variable',
      '',
      { CAPSTAN_WATERFALL_SEARCH_SERP: '-scraper' },
      'CAPSTAN_WATERFALL_SEARCH_SERP',
      /does not serve/,
    ],
    [
      'an unknown capability in a product',
      'products: {tiny: [serch]}\n',
      {},
      'capstan.yml:1:11',
      /products\.tiny: serch; did you mean search\?/,
    ],
    ['a price of an unknown capability', 'prices: {serch: 1}\n', {}, 'capstan.yml:1:10', /unknown capability/],
    ['a price of an unknown row', 'prices: {search: {deep: 1}}\n', {}, 'capstan.yml:1:19', /has no row deep; rows: serp, ai/],
    ['an unknown program', 'programs: {bwarp: /x}\n', {}, 'capstan.yml:1:12', /did you mean bwrap\?/],
    [
      'a program that is not there',
      '',
      { CAPSTAN_PROGRAM_BWRAP: '/nowhere/bwrap' },
      'CAPSTAN_PROGRAM_BWRAP',
      /no program at \/nowhere\/bwrap/,
    ],
  ]
  for (const [title, yaml, env, where, message] of wrong) {
    it(`${title} is a problem with its place`, () => {
      const [problem, ...more] = folder.load(yaml, env).problems(known)
      expect(more).to.deep.equal([])
      expect(problem).to.include({ where, level: 'error' })
      expect(problem?.message).to.match(message)
    })
  }

  it('a wrong setting of a vendor never reaches it: the default is used until the problem is seen', () => {
    expect(folder.load(null, { CAPSTAN_ACME_AI_TRIES: 'many', CAPSTAN_ACME_AI_MODEL: 'large' }).vendor(acme).settings).to.include({
      tries: 2,
      model: 'large',
    })
  })

  it('an order of the others by ... is taken, and -vendor in a whole order is a warning', () => {
    const problems = (order: string) => folder.load(`waterfall:\n  search.serp: ${order}\n`).problems(known)
    for (const order of ['[acme-ai, ...]', '[...]', '[..., -acme-ai]', '"acme-ai, ..."']) expect(problems(order), order).to.deep.equal([])
    const two = { ...known, serving: new Map([['search.serp', ['acme-ai', 'scraper']]]) }
    expect(folder.load('waterfall:\n  search.serp: [acme-ai, -scraper]\n').problems(two)).to.deep.equal([
      {
        where: 'capstan.yml:2:3',
        message: 'waterfall.search.serp is a complete order, in which -scraper has no effect; add ... where the other vendors belong',
        level: 'warning',
      },
    ])
  })

  it('every price is in the report, those of the plugin too', () => {
    const [row] = folder
      .load('prices: {search: {ai: 3}}\n')
      .report(known)
      .filter(({ name }) => name === 'prices.search')
    expect(row).to.include({ value: 'serp 1, ai 3', default: 'serp 1, ai 2', source: 'file' })
    const [usual] = folder
      .load('')
      .report(known)
      .filter(({ name }) => name === 'prices.search')
    expect(usual).to.include({ value: 'serp 1, ai 2', source: 'default' })
  })

  it('names that a plugin set aside may own are warnings, not errors', () => {
    expect(folder.load('vendors:\n  third: {url: http://x}\n').problems({ ...known, incomplete: true })).to.have.nested.property(
      '[0].level',
      'warning',
    )
  })

  it('an unknown CAPSTAN_ variable is a warning with the nearest name; known forms are not', () => {
    const env = {
      CAPSTAN_PROT: '1',
      CAPSTAN_PUBLC_URL: 'x',
      CAPSTAN_URL: 'x',
      CAPSTAN_API_KEY: 'x',
      CAPSTAN_CONFIG: 'x',
      CAPSTAN_TEST_MONGODB: 'x',
      CAPSTAN_VENDOR_ACME_AI_URL: 'http://x',
      CAPSTAN_SEARCH_PAGES: '1',
      OTHER: 'x',
    }
    const config = folder.load(null, env)
    const said = [...config.warnings, ...config.problems(known)]
    expect(said).to.deep.equal([
      { where: 'CAPSTAN_PROT', message: 'unknown variable; did you mean CAPSTAN_PORT?', level: 'warning' },
      { where: 'CAPSTAN_PUBLC_URL', message: 'unknown variable; did you mean CAPSTAN_PUBLIC_URL?', level: 'warning' },
    ])
  })

  it('the report says value and source of everything, secrets as set', () => {
    const rows = folder
      .load('vendors:\n  acme-ai: {api_key: hush}\n', { CAPSTAN_ADMIN_TOKEN: 'hush', CAPSTAN_SEARCH_PAGES: '8' })
      .report(known)
    const row = (name: string) => rows.find((each) => each.name === name)
    expect(JSON.stringify(rows)).not.to.contain('hush')
    expect(row('vendors.acme-ai.api_key')).to.include({ value: 'set', source: 'file', variable: 'ACME_API_KEY' })
    expect(row('server.admin_token')).to.include({ value: 'set', source: 'variable' })
    expect(row('plugins.search.pages')).to.include({ value: '8', source: 'variable', default: '3', variable: 'CAPSTAN_SEARCH_PAGES' })
    expect(row('vendors.acme-ai.model')).to.include({ value: 'small', source: 'default', about: 'Which model.' })
    expect(row('waterfall.search.serp')).to.include({ source: 'default', variable: 'CAPSTAN_WATERFALL_SEARCH_SERP' })
  })

  it('names the variable of any setting', () => {
    const config = folder.load(null)
    expect(
      ['server.port', 'vendors.openai-compatible.url', 'waterfall.search.serp', 'programs.bwrap', 'plugins.search.pages'].map((name) =>
        config.variable(name),
      ),
    ).to.deep.equal([
      'CAPSTAN_PORT',
      'CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL',
      'CAPSTAN_WATERFALL_SEARCH_SERP',
      'CAPSTAN_PROGRAM_BWRAP',
      'CAPSTAN_SEARCH_PAGES',
    ])
  })
})

import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Parts } from '../../../scripts/capstan/cli/types.js'
import type { LoadedCapability, LoadedPort, LoadedProvider, Registry } from '../../../core/loader/types.js'
import { cliBench } from '../../support/cli.js'

const provider = (id: string, kind: LoadedProvider['kind'], state: LoadedProvider['state'], reason: string | null = null): LoadedProvider =>
  ({
    vendor: { id, title: id },
    kind,
    state,
    reason,
    settings: [`${id.toUpperCase()}_API_KEY`],
    optedOut: false,
  }) as unknown as LoadedProvider

const port = (id: string, providers: LoadedProvider[]): [string, LoadedPort] => [
  id,
  { port: { id }, providers, all: providers } as unknown as LoadedPort,
]

const capability = (id: string, uses: string[] = []): [string, LoadedCapability] => [
  id,
  {
    capability: { id, uses: uses.map((each) => ({ id: each })), price: { table: {} } },
    handler: uses.length > 0 ? {} : null,
    prices: {},
  } as unknown as LoadedCapability,
]

/** Two capabilities: one answers over two ports, one has a dormant and a broken provider. */
function registry(plugins: readonly object[] = []): Registry {
  const ports = new Map([
    port('search.serp', [provider('acme', 'keyed', 'dormant', 'set ACME_API_KEY'), provider('wiki', 'keyless', 'live')]),
    port('domains', [provider('bad', 'local', 'broken', 'its file is wrong')]),
  ])
  const capabilities = new Map([capability('search', ['search.serp']), capability('domains')])
  const vendors = [...ports.values()].flatMap((each) => each.all.map(({ vendor }) => vendor))
  const made = {
    ports,
    capabilities,
    plugins,
    contributions: [],
    vendors,
    liveness: (id: string) => ({ live: id === 'search', reason: null, limits: null }),
    dispose: () => Promise.resolve(),
    withOrders: () => made,
  } as unknown as Registry
  return made
}

const parts = (live = true): Partial<Parts> => ({
  registry: () => Promise.resolve(registry()),
  probes: () => Promise.resolve(new Map()),
  sandbox: () => Promise.resolve({ live, detail: live ? 'bubblewrap 0.8.0' : 'bubblewrap is missing', checks: [] }),
})

describe('capstan doctor', () => {
  it('--json prints providers by capability and port, checks, and how many answer', async () => {
    const bench = cliBench({ parts: parts() })
    const { code, json } = await bench.run('doctor', '--json')
    bench.done()
    const { checks, ...rest } = json() as { checks: { name: string; ok: boolean; detail: string }[] }
    expect(code).to.equal(0)
    expect(rest).to.deep.equal({
      live: 1,
      total: 2,
      capabilities: [
        {
          id: 'search',
          answers: true,
          limits: null,
          ports: [
            {
              id: 'search.serp',
              order_from: 'default',
              left_out: [],
              providers: [
                { vendor: 'acme', kind: 'keyed', state: 'dormant', reason: 'set ACME_API_KEY', settings: ['ACME_API_KEY'] },
                { vendor: 'wiki', kind: 'keyless', state: 'live', reason: null, settings: ['WIKI_API_KEY'] },
              ],
            },
          ],
        },
        {
          id: 'domains',
          answers: false,
          limits: null,
          ports: [
            {
              id: 'domains',
              order_from: 'default',
              left_out: [],
              providers: [{ vendor: 'bad', kind: 'local', state: 'broken', reason: 'its file is wrong', settings: ['BAD_API_KEY'] }],
            },
          ],
        },
      ],
    })
    expect(checks.map(({ name }) => name)).to.deep.equal([
      'store',
      'redis',
      'artifacts',
      'sandbox',
      'plugins',
      'programs',
      'extras',
      'browser',
      'model',
      'disk',
      'clock',
      'resolver',
      'internet',
      'configuration',
    ])
    for (const name of ['store', 'redis', 'artifacts', 'sandbox', 'clock', 'configuration'])
      expect(
        checks.find((check) => check.name === name),
        name,
      ).to.include({ ok: true })
  })

  it('for people it ends with how many capabilities answer, and says how to get the rest', async () => {
    const bench = cliBench({ parts: parts(false) })
    const { code, out } = await bench.run('doctor', '--all')
    bench.done()
    expect(code).to.equal(0)
    expect(out).to.contain('set ACME_API_KEY').and.to.contain('its file is wrong').and.to.contain('bubblewrap is missing')
    expect(out.trimEnd()).to.match(/\n1 of 2 capabilities are available now$/)
  })

  it('for people is one screen: what fails with its remedy, and what keys would add for each capability', async () => {
    const many = registry([{ name: 'dice', reason: 'plugin dice, index.js: has a default export', remarks: [] }])
    for (let count = 0; count < 60; count++) {
      const id = `more.part${count}`
      const keyed = Array.from({ length: 20 }, (_, at) => provider(`vendor${at}`, 'keyed', 'dormant', `set VENDOR${at}_API_KEY`))
      ;(many.ports as Map<string, LoadedPort>).set(...port(id, keyed))
      ;(many.capabilities as Map<string, LoadedCapability>).set(...capability(id))
    }
    const bench = cliBench({ parts: { ...parts(false), registry: () => Promise.resolve(many) }, columns: 80 })
    const screen = stripVTControlCharacters((await bench.run('doctor')).out)
    const whole = stripVTControlCharacters((await bench.run('doctor', '--all')).out)
    bench.done()
    const lines = screen.trimEnd().split('\n')
    expect(lines.length).to.be.at.most(40)
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('gateway'))).to.deep.equal([])
    expect(screen).to.contain('○ sandbox  bubblewrap is missing').and.to.contain('○ domains  unavailable: its file is wrong')
    expect(screen).to.contain('more lines: capstan doctor --all')
    expect(screen).to.match(/^ {2}more\.part0 +vendor0, vendor1, .* and \d+ more$/m)
    expect(screen).to.match(/^1 of 62 capabilities are available now$/m)
    expect(whole.split('\n').length).to.be.above(1_200)
  })

  it('for people says so where nothing fails, and names neither what is live nor the checks that pass', async () => {
    const found = registry()
    ;(found.capabilities as Map<string, LoadedCapability>).delete('domains')
    const checks = { ...parts(), sandbox: () => Promise.resolve({ live: true, detail: 'bubblewrap', checks: [] }) }
    const bench = cliBench({ parts: { ...checks, registry: () => Promise.resolve(found) } })
    const screen = stripVTControlCharacters((await bench.run('doctor')).out)
    bench.done()
    expect(screen).not.to.contain('wiki').and.not.to.contain('MiB free')
    expect(screen).to.match(/^what keys would add\n {2}search {2}acme \(ACME_API_KEY\)$/m)
    expect(screen)
      .to.contain('capstan doctor --all')
      .and.to.match(/\n1 of 1 capabilities are available now\n$/)
  })

  it('names what programs of live vendors could use besides, and only where a path of it is missing', async () => {
    const found = registry()
    const [one] = [...found.ports.values()].flatMap(({ providers }) => providers).filter(({ state }) => state === 'live')
    const extras = {
      'big letters': { packages: 'fonts-big', paths: ['/', '/no/such'] },
      'small letters': { packages: 'fonts-small', paths: ['/'] },
    }
    Object.assign(one?.vendor ?? {}, { extras })
    const bench = cliBench({ parts: { ...parts(), registry: () => Promise.resolve(found) } })
    const { json } = await bench.run('doctor', '--json')
    bench.done()
    const { checks } = json() as { checks: { name: string; ok: boolean; detail: string }[] }
    expect(checks.find(({ name }) => name === 'extras')).to.deep.equal({
      name: 'extras',
      ok: true,
      detail: 'big letters: apt-get install fonts-big',
    })
  })

  it('names the commands that bring what is missing, each package once', async () => {
    const found = registry()
    const [one] = found.ports.get('search.serp')?.all ?? []
    const programs = {
      'no-such-a': 'pkg-b pkg-a',
      'no-such-b': 'pkg-a',
      'no-such-c': 'npm run tools -- some-tool',
      'no-such-d': 'from x, by hand',
    }
    Object.assign(one?.vendor ?? {}, { programs, anyProgram: { 'no-such-e': 'pkg-c', 'no-such-f': 'pkg-d' } })
    const bench = cliBench({ parts: { ...parts(), registry: () => Promise.resolve(found) } })
    const { json } = await bench.run('doctor', '--json')
    bench.done()
    const { checks } = json() as { checks: { name: string; ok: boolean; detail: string }[] }
    expect(checks.find(({ name }) => name === 'programs')).to.deep.equal({
      name: 'programs',
      ok: false,
      detail: 'some are missing: apt-get install pkg-a pkg-b pkg-c && npm run tools -- some-tool',
    })
  })

  it('warns of a live vendor whose own isolation does not bound the memory of programs', async () => {
    const found = registry()
    const [live] = found.ports.get('search.serp')?.all.filter(({ state }) => state === 'live') ?? []
    Object.assign(live?.vendor ?? {}, { memoryUnbounded: () => 'nothing bounds it' })
    const bench = cliBench({ parts: { ...parts(), registry: () => Promise.resolve(found) } })
    const { code, json } = await bench.run('doctor', '--json')
    bench.done()
    const { checks } = json() as { checks: { name: string; ok: boolean; detail: string }[] }
    const sandbox = checks.find(({ name }) => name === 'sandbox')
    expect([code, sandbox?.ok]).to.deep.equal([0, false])
    expect(sandbox?.detail).to.match(/: nothing bounds it$/)
  })

  it('warns of a sandbox that is live and does not hold the memory of programs, or a limit', async () => {
    const limit = { name: 'disk', ok: false, detail: 'the disk was filled', isolation: false }
    for (const status of [{ memoryUnbounded: true }, { checks: [limit] }]) {
      const sandbox = () => Promise.resolve({ live: true, detail: 'bubblewrap 0.8.0', checks: [], ...status })
      const bench = cliBench({ parts: { ...parts(), sandbox } })
      const { code, json } = await bench.run('doctor', '--json')
      bench.done()
      const { checks } = json() as { checks: { name: string; ok: boolean }[] }
      expect([code, checks.find(({ name }) => name === 'sandbox')?.ok]).to.deep.equal([0, false])
    }
  })

  it('says broken of a provider whose program is installed and cannot work', async () => {
    const failing = { ...parts(), probes: () => Promise.resolve(new Map([['wiki', 'Cannot connect to the daemon']])) }
    const bench = cliBench({ parts: failing })
    const { out } = await bench.run('doctor', '--all')
    bench.done()
    expect(stripVTControlCharacters(out)).to.match(/wiki +keyless +broken: Cannot connect to the daemon\n/)
  })

  it('probes only vendors with a probe, and of them those that calls would use', async () => {
    const probed: string[] = []
    const probe = { program: 'true', args: [] }
    const found = registry()
    for (const { vendor } of found.ports.get('search.serp')?.all ?? []) Object.assign(vendor, { probe })
    const counting = {
      ...parts(),
      registry: () => Promise.resolve(found),
      probes: (vendors: readonly { id: string }[]) => (probed.push(...vendors.map(({ id }) => id)), Promise.resolve(new Map())),
    }
    const bench = cliBench({ parts: counting })
    await bench.run('doctor')
    expect(probed, 'acme is dormant').to.deep.equal(['wiki'])
    for (const { vendor } of found.ports.get('search.serp')?.all ?? []) Object.assign(vendor, { probe: undefined })
    await bench.run('doctor')
    bench.done()
    expect(probed).to.deep.equal(['wiki'])
  })

  it('names what was set aside while plugins were loaded, whole plugins and single files', async () => {
    const plugins = [
      { name: 'search', reason: null, remarks: [] },
      { name: 'dice', reason: 'plugin dice, index.js: has a default export', remarks: [] },
      { name: 'maps', reason: null, remarks: ['plugin maps, providers/atlas.js: cannot be loaded'] },
    ]
    const bench = cliBench({ parts: { ...parts(), registry: () => Promise.resolve(registry(plugins)) } })
    const { code, out } = await bench.run('doctor', '--all')
    bench.done()
    expect(code).to.equal(0)
    expect(stripVTControlCharacters(out)).to.contain(
      '○ plugins        set aside: plugin dice, index.js: has a default export; plugin maps, providers/atlas.js: cannot be loaded\n',
    )
  })

  it('ends with 1 when the store cannot be opened, still with the whole document', async () => {
    const bench = cliBench({ parts: parts(), env: { CAPSTAN_STORE: 'mongodb://127.0.0.1/x' } })
    const { code, json, err } = await bench.run('doctor', '--json')
    bench.done()
    expect(code).to.equal(1)
    expect(json()).to.include({ live: 1, total: 2 })
    expect(err).to.contain('store')
  })

  it('config check shows the settings that differ from their defaults, and all with --all', async () => {
    const bench = cliBench({ parts: parts(), env: { CAPSTAN_PORT: '9000' } })
    const { out } = await bench.run('config', 'check')
    const all = (await bench.run('config', 'check', '--all')).out
    bench.done()
    expect(out).to.match(/^server\.port +9000 +variable +CAPSTAN_PORT$/m)
    expect(out).to.match(/^\d+ settings have their defaults; --all shows them$/m)
    expect(out).not.to.contain('limits.upload')
    expect(all)
      .to.match(/^limits\.upload +/m)
      .and.to.match(/^server\.port +9000 +variable/m)
    expect(out.split('\n').length).to.be.below(12)
  })

  it('config check names a price of no row beside every other wrong name, each with its place', async () => {
    const bench = cliBench()
    writeFileSync(
      join(bench.folder, 'capstan.yml'),
      'prices: { search: { c: 1 }, serch: { serp: 1 } }\nwaterfall: { search.serp: [wikki] }\n',
    )
    const { code, err } = await bench.run('config', 'check')
    bench.done()
    expect(code).to.equal(1)
    expect(err).to.match(/prices\.search has no row c; rows: /)
    expect(err).to.contain('unknown capability serch; did you mean search?').and.to.contain('unknown vendor wikki')
  })

  it('config check prints every setting without secrets, and ends with 1 on a wrong one', async () => {
    const bench = cliBench({
      parts: parts(),
      env: { CAPSTAN_ADMIN_TOKEN: 'very-secret', CAPSTAN_REDIS: 'redis://user:pa55@cache.example.com', CAPSTAN_SERCH_X: '1' },
    })
    const { code, out, err, json } = await bench.run('config', 'check', '--json')
    bench.done()
    expect(code).to.equal(0)
    expect(json()).to.include({ ok: true, file: null })
    expect(out).to.contain('"set"').and.not.to.contain('very-secret').and.not.to.contain('pa55')
    expect(err).to.contain('CAPSTAN_SERCH_X')
    const wrong = cliBench({ parts: parts(), env: { CAPSTAN_WATERFALL_SEARCH_SERP: 'wikki' } })
    const refused = await wrong.run('config', 'check', '--json')
    wrong.done()
    expect(refused.code).to.equal(1)
    expect(refused.json())
      .to.include({ ok: false })
      .and.to.have.property('problems')
      .that.deep.includes({ where: 'CAPSTAN_WATERFALL_SEARCH_SERP', message: 'unknown vendor wikki; did you mean wiki?', level: 'error' })
  })
})

import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WAYS, writeBroken } from '../../support/broken-plugins.js'
import { CLI } from '../../support/served.js'

const LATE = WAYS.filter(({ later }) => later === true)
const ASIDE = WAYS.filter(({ later }) => later !== true).map(({ name }) => name)

/** What a command that loads plugins for something else is to print. */
type Loading = readonly [string, RegExp]

/** In this order: some work on what those before them made. `{key}` is the id of the first key. */
const WITHOUT_PLUGINS: readonly string[] = [
  'accounts create --name default --credits 5',
  'accounts list',
  'accounts show default',
  'accounts disable default',
  'accounts enable default',
  'credits grant --account default --amount 5 --ref one',
  'credits adjust --account default --amount 1 --ref two',
  'keys create --account default --name first --json',
  'keys list --json',
  'keys rotate {key} --overlap-seconds 60 --json',
  'keys revoke {key}',
  'ledger check',
  'ledger export',
  'backup copy.db',
  'plugin new weather',
  'help serve',
]

const LOADING: readonly Loading[] = [
  ['keys create --account default --scopes search', /scopes +search/],
  ['providers list search.serp', /"id":"search\.serp".*"serper"/],
  ['providers suspend search.serp brave', /suspended brave of search\.serp/],
  ['providers resume search.serp brave', /resumed brave of search\.serp/],
  ['waterfall show search.serp', /"port":"search\.serp".*"serper","brave"/],
  ['waterfall set search.serp brave', /search\.serp: brave/],
  ['waterfall reset search.serp', /search\.serp: serper/],
  ['provider new search.serp acme', /wrote[^]*acme/],
]

describe('commands beside plugins that cannot be used, or fail once they are loaded', function () {
  this.timeout(300_000)
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-beside-broken-'))
    writeBroken(join(folder, 'guests'), ({ code }) => code)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const run = (line: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...line.split(' ')], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        CAPSTAN_DATA: join(folder, 'data'),
        CAPSTAN_PLUGINS: join(folder, 'guests'),
        CAPSTAN_LIMIT_PLUGIN_LOAD: '1s',
      },
      encoding: 'utf8',
    })
    return { code: status, out: stdout, err: stderr }
  }

  let key = ''
  for (const line of WITHOUT_PLUGINS)
    it(`capstan ${line} loads none of them`, () => {
      const { code, out, err } = run(line.replace('{key}', key))
      expect({ code, err }).to.deep.equal({ code: 0, err: '' })
      if (line.startsWith('keys create')) key = (JSON.parse(out) as { id: string }).id
    })

  for (const [line, says] of LOADING)
    it(`capstan ${line} does its work, and names each`, () => {
      const { code, out, err } = run(line)
      expect(out, err).to.match(says)
      for (const { name, says: late } of LATE) expect(err, name).to.match(late)
      if (!line.startsWith('provider new'))
        expect(err).to.contain(`not in use: ${[...ASIDE].sort().join(', ')}; see capstan plugin list for the reasons`)
      expect(err).not.to.match(/^\s+at /m)
      // What a plugin threw after it was loaded makes the command fail, whatever it did before.
      expect(code).to.equal(1)
    })

  it('capstan provider new names them where the port may be one of theirs', () => {
    const { code, err } = run('provider new torn acme')
    expect(code).to.equal(1)
    expect(err).to.contain('no port is called torn').and.to.contain('not in use: ').and.to.contain('torn')
  })
})

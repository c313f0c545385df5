import { expect } from 'chai'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { CONSENT } from '../../plugins/browser/pictures/tidy-rules.js'
import { FORMATS } from '../../plugins/convert/formats/table.js'
import { isMark } from '../../plugins/domains/names/marks.js'
import { USUAL_PATTERNS } from '../../plugins/emails/find/names/patterns.js'
import { VOCABULARIES } from '../../plugins/invoices/layout/lexicon/vocabulary.js'
import { sitesIntel } from '../../plugins/sites/contract.js'
import { WORDS } from '../../plugins/sites/parts/subdomains/words.js'
import { RULES } from '../../plugins/sites/parts/technologies/rules/index.js'
import { attacks } from '../../scripts/bench/neighbours/attacks.js'
import { bodies } from '../../scripts/bench/standstill/bodies.js'
import { files, pages as shapesOfPages } from '../../scripts/bench/standstill/pages.js'
import { replies } from '../../scripts/bench/standstill/replies.js'
import { allTrips } from '../support/conversions/trips/all.js'
import { prose, rowsOf, source } from '../support/pages.js'

const benchmarks = prose('docs/benchmarks.md')

describe('figures on pages are those of the code', () => {
  it('pages of plugins: rules for technologies, consent tools, languages of invoices', () => {
    expect(prose('plugins/sites/README.md')).to.contain(`${RULES.flatMap(({ rules }) => rules).length} rules:`)
    expect(prose('plugins/browser/README.md')).to.contain(`rules for ${CONSENT.length} tools`)
    expect(Object.keys(VOCABULARIES)).to.have.length(20)
    expect(prose('plugins/invoices/README.md')).to.contain('in `layout/lexicon/languages`: twenty,')
  })

  it('benchmarks: shapes of bench:standstill and attacks of bench:neighbours', () => {
    expect(benchmarks).to.contain(`of ${bodies.length + shapesOfPages.length + files.length + replies.length} shapes`)
    expect(benchmarks).to.contain(`each of ${attacks.length} attacks`)
  })

  it('formats and conversions of files.convert: benchmarks, page of the plugin', async () => {
    const trips = await allTrips()
    const rows = rowsOf(source('plugins/convert/README.md'), 'conversions tried')
    const engines = [...new Set(trips.map(({ engine }) => engine))]
    const countsOf = (own: typeof trips): [string, string] => {
      const steps = own.flatMap((trip) => trip.steps)
      return [String(new Set(steps.flatMap(({ from, to }) => [from, to])).size), String(steps.length)]
    }
    const counted = [
      ...engines.map((engine) => [engine, ...countsOf(trips.filter((trip) => trip.engine === engine))]),
      ['all', ...countsOf(trips)],
    ]
    expect(rows.map((row) => [row['engine'], row['formats'], row['conversions tried']])).to.deep.equal(counted)
    const [formats, conversions] = countsOf(trips)
    expect(benchmarks).to.contain(`${formats} formats, ${conversions} conversions by ${engines.length} engines`)
    expect(FORMATS.length).to.be.at.least(Number(formats))
  })

  it('sites.intel says how many common names it queries', () => {
    expect(sitesIntel.description).to.contain(`${WORDS.length} common names`)
  })

  it('domains: about as many marks as the page says', () => {
    const words = [...(/`([^`]+)`/.exec(source('plugins/domains/names/marks.ts'))?.[1]?.trim().split(/\s+/) ?? [])]
    expect(words.filter((word) => !isMark(word))).to.deep.equal([])
    const [, said = ''] = /about (\d+) well-known marks/.exec(prose('plugins/domains/README.md')) ?? []
    expect(Math.round(words.length / 10) * 10).to.equal(Number(said))
  })

  it('emails.find: the usual patterns, in their order', () => {
    expect(prose('plugins/emails/README.md')).to.contain(`${USUAL_PATTERNS.join(', ')}, in this order`)
  })

  it('browser: signs and traces that the stealth browser is tested for', () => {
    const spec = source('plugins/browser/stealth/stealth.spec.ts')
    const count = (name: string): number =>
      [...(new RegExp(`const ${name}[^=]*= \\{\\n(.*?)\\n\\}`, 's').exec(spec)?.[1] ?? '').matchAll(/^ {2}'/gm)].length
    expect(prose('plugins/browser/README.md')).to.contain(
      `${count('SIGNS')} signs of an ordinary headless browser and ${count('TRACES')} traces`,
    )
  })

  it('the layout in CONTRIBUTING names every folder below the root and below test', () => {
    const named = rowsOf(source('CONTRIBUTING.md'), 'folder').flatMap(({ folder = '' }) => folder.replaceAll('`', '').split(', '))
    expect(named.filter((folder) => !existsSync(join(packageRoot(), folder)))).to.deep.equal([])
    const folders = readdirSync(join(packageRoot(), 'test'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => `test/${name}`).filter((folder) => !named.includes(folder))).to.deep.equal([])
  })
})

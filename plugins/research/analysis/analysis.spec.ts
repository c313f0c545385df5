import { createContext, Script } from 'node:vm'
import { expect } from 'chai'
import { Fault, type HandlerContext } from '../../../core/sdk/index.js'
import runQuickJs from '../../code/work/quickjs.js'
import { SharedOutput } from '../../code/guest/output.js'
import type { NumberedSource } from '../run-state.js'
import { analyse, chartsFor, csvOf } from './analyse.js'
import { legendOf, shortNumber, ticksOf, type ChartSpec, type DrawnChart } from './draw.js'
import { programOf } from './program.js'
import { figuresOf } from './series.js'
import { tablesOf } from './tables.js'

const POPULATION = `# Cities

Some text.

## Population of the largest cities

| City | Population | Area (km) |
| --- | ---: | ---: |
| [Springfield](https://a.example/s) | 1,204,500 | 310 |
| Shelbyville[2] | 850,000 | 205 |
| **Ogdenville** | 96,250 | 41.5 |
| North Haverbrook | n/a | 12 |
`
const PRICES = '| Year | Price |\n|---|---|\n| 2022 | $4.50 |\n| 2020 | $3.10 |\n| 2021 | $3.80 |\n| 2024 | $5.20 |'

const source = (id: number, text: string, title = 'Cities of the valley'): NumberedSource => ({
  id,
  url: `https://site${String(id)}.example/`,
  title,
  domain: `site${String(id)}.example`,
  snippet: null,
  type: 'web',
  published: null,
  found: 1,
  text,
  passages: [],
})
const figures = (markdown: string) => tablesOf(markdown).map(figuresOf)[0] ?? null

/** The program's output, in a context with only the language and `console.log`. */
function printed(charts: readonly ChartSpec[]): DrawnChart[] {
  const lines: string[] = []
  new Script(programOf(charts)).runInContext(createContext({ console: { log: (line: string) => void lines.push(line) } }), {
    timeout: 5_000,
  })
  return JSON.parse(lines.join('')) as DrawnChart[]
}

const SPEC: ChartSpec = {
  title: 'Price of kettles',
  subtitle: 'Source 1',
  unit: 'USD',
  overTime: true,
  labels: ['2020', '2021', '2024'],
  series: [{ name: 'Price', values: [3.1, null, 5.2] }],
}

describe('research: tables of pages', () => {
  it('a table has the heading above it and plain cells, without links, marks and footnotes', () => {
    expect(tablesOf(POPULATION)).to.deep.equal([
      {
        heading: 'Population of the largest cities',
        header: ['City', 'Population', 'Area (km)'],
        rows: [
          ['Springfield', '1,204,500', '310'],
          ['Shelbyville', '850,000', '205'],
          ['Ogdenville', '96,250', '41.5'],
          ['North Haverbrook', 'n/a', '12'],
        ],
      },
    ])
  })

  it('a comment of a program above it is no heading, and a table in a program is none', () => {
    const table = '| a | b |\n|---|---|\n| x | 1 |'
    expect(tablesOf(`# Sizes\n\n\`\`\`\n# sort | uniq\n${table}\n\`\`\`\n\n${table}`).map(({ heading }) => heading)).to.deep.equal([
      'Sizes',
    ])
  })

  it('nothing of a cell can be opened as an address', () => {
    const [table] = tablesOf(
      '| a | b |\n|---|---|\n| see https://canary.example/x and canary.example or me@canary.example | [x](https://canary.example) |',
    )
    expect(JSON.stringify(table)).not.to.include('canary')
  })

  it('a row of bars that is no table is none, and a bar behind a backslash stays in its cell', () => {
    expect(tablesOf('| a | b |\n| c | d |')).to.deep.equal([])
    expect(tablesOf('| a | b |\n|---|---|\n| x \\| y | 1 |')[0]?.rows).to.deep.equal([['x | y', '1']])
  })

  it('a megabyte of bars takes less than a second', () => {
    const began = process.cpuUsage()
    tablesOf('|'.repeat(1_000_000))
    tablesOf('|-'.repeat(300_000).concat('\n').repeat(2))
    tablesOf('| a | b |\n|---|---|\n'.repeat(40_000))
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1_000).to.be.below(1_000)
  })
})

describe('research: figures of tables', () => {
  it('columns of one unit are drawn together, a column of another unit is left out', () => {
    expect(figures(POPULATION)).to.deep.equal({
      labels: ['Springfield', 'Shelbyville', 'Ogdenville'],
      overTime: false,
      unit: '',
      series: [{ name: 'Population', values: [1_204_500, 850_000, 96_250] }],
    })
  })

  it('years are an axis of time in their order', () => {
    expect(figures(PRICES)).to.deep.equal({
      labels: ['2020', '2021', '2022', '2024'],
      overTime: true,
      unit: 'USD',
      series: [{ name: 'Price', values: [3.1, 3.8, 4.5, 5.2] }],
    })
  })

  it('a table whose columns are years is turned', () => {
    const turned = figures(
      '| Region | 2020 | 2021 | 2022 |\n|---|---|---|---|\n| North | 5 % | 6 % | 7 % |\n| South | 2 % | 2.5 % | −3 % |',
    )
    expect(turned?.labels).to.deep.equal(['2020', '2021', '2022'])
    expect(turned?.unit).to.equal('%')
    expect(turned?.series).to.deep.equal([
      { name: 'North', values: [5, 6, 7] },
      { name: 'South', values: [2, 2.5, -3] },
    ])
  })

  it('scales are multiplied, and a column of mixed units has no figures', () => {
    expect(
      figures('| Firm | Sales |\n|---|---|\n| A | €1.5 billion |\n| B | €300 million |\n| C | €20k |')?.series[0]?.values,
    ).to.deep.equal([1.5e9, 3e8, 2e4])
    expect(figures('| File | Size |\n|---|---|\n| A | 10 MB |\n| B | 2 GB |\n| C | 5 MB |')).to.equal(null)
  })

  it('a unit in brackets behind the name of a column is no part of the name', () => {
    const named = figures('| Park | Capacity (MW) |\n|---|---|\n| A | 450 |\n| B | 120 |\n| C | 88 |')
    expect([named?.unit, named?.series[0]?.name]).to.deep.equal(['MW', 'Capacity'])
  })

  it('tables of words, of two rows, and of ranks have no figures', () => {
    expect(figures('| a | b |\n|---|---|\n| x | y |\n| x | y |\n| x | y |')).to.equal(null)
    expect(figures('| a | b |\n|---|---|\n| x | 1 |\n| y | 2 |')).to.equal(null)
    expect(figures('| a | Rank |\n|---|---|\n| x | 1 |\n| y | 2 |\n| z | 3 |')).to.equal(null)
  })
})

describe('research: which tables become charts', () => {
  it('those that have most to do with the query come first, and those that have nothing are left out', () => {
    const chosen = chartsFor('price of kettles by year', [source(1, POPULATION), source(2, PRICES, 'Kettles')])
    expect(chosen.map(({ spec }) => [spec.title, spec.subtitle])).to.deep.equal([['Kettles: Price', 'Source 2']])
    expect(chartsFor('gardens', [source(1, POPULATION)])).to.deep.equal([])
  })

  it('a table that has much less to do with the query than another is left out', () => {
    const sources = [source(1, POPULATION, 'Cities'), source(2, `## Price of kettles by year\n\n${PRICES}`, 'Kettles')]
    expect(chartsFor('price of kettles by year in cities', sources).map(({ spec }) => spec.title)).to.deep.equal([
      'Price of kettles by year',
    ])
  })

  it('a column that the heading names is not named again in the title', () => {
    const titled = (heading: string) =>
      chartsFor('population', [source(1, POPULATION.replace('Population of the largest cities', heading))])[0]?.spec.title
    expect(titled('Population of cities')).to.equal('Population of cities')
    expect(titled('Cities')).to.equal('Cities: Population')
  })

  it('the same figures of two sources are one chart, and there are at most three', () => {
    expect(chartsFor('population of cities', [source(1, POPULATION), source(2, POPULATION)])).to.have.length(1)
    const many = Array.from({ length: 6 }, (_, at) => source(at + 1, POPULATION.replace('1,204,500', `1,204,50${String(at)}`)))
    expect(chartsFor('population of cities', many)).to.have.length(3)
  })
})

describe('research: charts as the program draws them', () => {
  it('the program needs nothing but the language, and says what the figures show', () => {
    const [drawn] = printed([SPEC])
    expect(drawn?.svg).to.match(/^<svg [\s\S]*Price of kettles[\s\S]*in USD[\s\S]*<\/svg>$/)
    expect(drawn?.svg.match(/<circle /g)).to.have.length(2)
    expect(drawn?.facts[0]).to.deep.include({
      name: 'Price',
      count: 2,
      least: { label: '2020', value: 3.1 },
      most: { label: '2024', value: 5.2 },
    })
    expect(drawn?.facts[0]?.mean).to.be.closeTo(4.15, 1e-9)
    expect(drawn?.facts[0]?.change).to.be.closeTo(67.74, 0.01)
  })

  it('it runs in the engine that is always there', async () => {
    const shared = new SharedOutput({ max: 1024 * 1024 })
    const end = await runQuickJs({ code: programOf([SPEC]), timeoutMs: 5_000, memoryMb: 128, output: shared.memory })
    expect(end).to.deep.include({ code: 0, stopped: null })
    expect(JSON.parse(Buffer.from(shared.read(1).bytes).toString('utf8'))).to.deep.equal(printed([SPEC]))
  })

  it('texts of pages are texts of the picture, whatever they hold', () => {
    const hostile = '</text><script>x</script>"&\u2028\' + process.exit() + `${1}`'
    const [drawn] = printed([
      { ...SPEC, title: hostile, overTime: false, labels: [hostile, 'b', 'c'], series: [{ name: hostile, values: [1, 2, 3] }] },
    ])
    expect(drawn?.svg).not.to.include('<script')
    expect(drawn?.svg).to.include('&lt;/text&gt;&lt;script&gt;')
  })

  it('bars of positive and negative figures lie on both sides of 0, inside the picture', () => {
    const [drawn] = printed([{ ...SPEC, overTime: false, labels: ['a', 'b', 'c'], series: [{ name: 'x', values: [-5, 0, 12] }] }])
    const bars = [...(drawn?.svg ?? '').matchAll(/<rect x="([\d.]+)" y="\d+" width="([\d.]+)"/g)].map(([, x, width]) => [
      Number(x),
      Number(width),
    ])
    expect(bars).to.have.length(3)
    for (const [x = 0, width = 0] of bars) expect(x >= 0 && x + width <= 960).to.equal(true)
    expect((bars[0]?.[0] ?? 0) + (bars[0]?.[1] ?? 0)).to.be.closeTo(bars[2]?.[0] ?? 0, 0.2)
  })

  it('names of several series stand side by side, each beside its colour and inside the picture', () => {
    const named = (...names: string[]) =>
      legendOf({ title: '', subtitle: '', unit: '', overTime: false, labels: [], series: names.map((name) => ({ name, values: [] })) })
    const places = (drawn: readonly string[]) =>
      drawn.filter((mark) => mark.startsWith('<rect')).map((mark) => Number(/x="([\d.]+)"/.exec(mark)?.[1]))
    expect(named('North')).to.deep.equal([])
    expect(places(named('North', 'South'))).to.deep.equal([32, 119])
    expect(Math.max(...places(named(...['a', 'b', 'c', 'd'].map((letter) => letter.repeat(90)))))).to.be.below(720)
  })

  it('figures that are all alike, all 0 or huge have an axis', () => {
    for (const value of [0, 7, -3, 1e-9, 1e15]) {
      const [drawn] = printed([{ ...SPEC, series: [{ name: 'x', values: [value, value, value] }] }])
      expect(drawn?.svg, String(value)).not.to.match(/NaN|Infinity|undefined/)
    }
  })

  it('ticks are round and hold both ends', () => {
    expect(ticksOf(0, 1_204_500)).to.deep.equal([0, 250_000, 500_000, 750_000, 1_000_000, 1_250_000])
    expect(ticksOf(-3, 7)).to.deep.equal([-4, -2, 0, 2, 4, 6, 8])
    expect([1_234, 0.5, 12.25, 1_204_500, -2e9].map(shortNumber)).to.deep.equal(['1,234', '0.5', '12.25', '1.2M', '−2B'])
  })

  it('the figures are CSV in which no text is a formula', () => {
    expect(csvOf({ ...SPEC, labels: ['=HYPERLINK("x")', 'a,b', 'c'] })).to.equal(
      'label,Price (USD)\r\n"\'=HYPERLINK(""x"")",3.1\r\n"a,b",\r\nc,5.2\r\n',
    )
  })
})

describe('research: an analysis', () => {
  /** A sandbox that runs the program in QuickJS, or returns the given result, and a store that records files. */
  function sandboxed(says?: { readonly stdout: string; readonly exit_code: number }) {
    const stored = new Map<string, string>()
    const files: Uint8Array[] = []
    const context = {
      progress: () => undefined,
      has: () => false,
      call: async (_port: unknown, { code }: { code: string }) => {
        if (says !== undefined) return { ...says, stderr: '' }
        const shared = new SharedOutput({ max: 1024 * 1024 })
        const { code: exit } = await runQuickJs({ code, timeoutMs: 5_000, memoryMb: 128, output: shared.memory })
        return { stdout: Buffer.from(shared.read(1).bytes).toString('utf8'), stderr: '', exit_code: exit }
      },
      scratch: {
        write: (bytes: Uint8Array) => Promise.resolve({ id: String(files.push(bytes) - 1), size: bytes.length }),
        store: ({ id }: { id: string }, { name }: { name: string }) => {
          stored.set(name, Buffer.from(files[Number(id)] ?? []).toString('utf8'))
          return Promise.resolve({ url: `https://files.example/${name}`, expires_at: '2026-01-02T00:00:00.000Z' })
        },
      },
    }
    return { ctx: context as unknown as HandlerContext, stored }
  }

  it('has a picture and its figures for each chart, and says what they show with the source', async () => {
    const { ctx, stored } = sandboxed()
    const found = await analyse('price of kettles by year', [source(7, PRICES, 'Kettles')], ctx)
    expect(found).to.deep.equal({
      summary:
        'Kettles: Price lies between 3.1 USD (2020) and 5.2 USD (2024), on average 4.15 USD over 4 figures, up 67.74 % from the first to the last [Source 7].',
      charts: [
        {
          title: 'Kettles: Price',
          url: 'https://files.example/chart-1.svg',
          content_type: 'image/svg+xml',
          expires_at: '2026-01-02T00:00:00.000Z',
          data_url: 'https://files.example/chart-1.csv',
        },
      ],
    })
    expect(stored.get('chart-1.svg')).to.match(/^<svg [\s\S]*Source 7/)
    expect(stored.get('chart-1.csv')).to.equal('label,Price (USD)\r\n2020,3.1\r\n2021,3.8\r\n2022,4.5\r\n2024,5.2\r\n')
  })

  it('sources without a table on the question have none, and the sandbox is not asked', async () => {
    const { ctx } = sandboxed({ stdout: '', exit_code: 1 })
    expect(await analyse('gardens', [source(1, POPULATION)], ctx)).to.equal(null)
  })

  it('a program that failed, or printed something else, is a broken sandbox', async () => {
    for (const says of [
      { stdout: '', exit_code: 1 },
      { stdout: 'half a li', exit_code: 0 },
      { stdout: '[]', exit_code: 0 },
      { stdout: '[{"svg":"<script>","facts":[]}]', exit_code: 0 },
    ]) {
      const { ctx } = sandboxed(says)
      const fault: unknown = await analyse('price of kettles', [source(1, PRICES, 'Kettles')], ctx).catch((error: unknown) => error)
      expect(Fault.is(fault) && fault.kind, says.stdout).to.equal('broken')
    }
  })
})

import { expect } from 'chai'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { headsFor, textOf } from './heads.js'
import { LIMIT_MS, Measuring, type Timed } from './measuring.js'
import { entries, expressionsOf, type Found } from './sources.js'

/** `npm run test:long -- expressions` tries every head at its whole length. */
const ALL = process.env.CAPSTAN_TEST_EXPRESSIONS === 'all'

/** Expressions that are put together at run time, by the call that does it, with one that comes of it. */
const MADE: Readonly<Record<string, Timed>> = {
  "core/exec/self-check.ts: new RegExp(`^${name} (.*)$`, 'm')": { source: '^network (.*)$', flags: 'm' },
  "core/exec/watchdog.ts: new RegExp(`^${name}:\\\\s+(\\\\d+) kB`, 'm')": { source: '^Pss_Anon:\\s+(\\d+) kB', flags: 'm' },
  'core/files/s3/failure.ts: new RegExp(`<${name}>([A-Za-z0-9-]{1,64})</${name}>`)': {
    source: '<Code>([A-Za-z0-9-]{1,64})</Code>',
    flags: '',
  },
  "core/store/mongodb/connection.ts: new RegExp(`[?&]${name}=(\\\\d{1,6})(?:&|$)`, 'i')": {
    source: '[?&]socketTimeoutMS=(\\d{1,6})(?:&|$)',
    flags: 'i',
  },
  "plugins/convert/formats/shapes.ts: new RegExp(`<(?:[\\\\w-]{1,40}:)?${name}[\\\\s/>]`, 'i')": {
    source: '<(?:[\\w-]{1,40}:)?window[\\s/>]',
    flags: 'i',
  },
  "plugins/emails/mail-hosts/provider-of.ts: new RegExp(`^${pattern.replace(/[.]/g, '\\\\.').replace(/\\*/g, '[a-z0-9.-]*')}$`)": {
    source: '^[a-z0-9.-]*\\.mail\\.protection\\.outlook\\.com$',
    flags: '',
  },
  // A pattern of a capability's schema, which the check of inputs runs as well.
  "plugins/playground/kinds.ts: new RegExp(pattern, 'u')": { source: '^(?:[A-Z]{2}|[a-z]{3})$', flags: 'u' },
  "plugins/registration/scripts.ts: new RegExp(`\\\\p{Script=${script}}`, 'u')": { source: '\\p{Script=Han}', flags: 'u' },
  "plugins/scrape/work/block-rules.ts: new RegExp(`^(?:${phrases.join('|')})[\\\\s.!…]*$`, 'iu')": {
    source: '^(?:log ?in|sign ?in|anmelden)[\\s.!…]*$',
    flags: 'iu',
  },
}

describe('T-74 regular expressions', () => {
  const measuring = new Measuring()
  const root = packageRoot()
  const { files, found, made } = expressionsOf(root, entries(root))

  after(async () => await measuring.close())

  it(`A3 A9 A12 none that the event loop may run takes more than ${LIMIT_MS} ms for 64 KiB of any text made to slow it down`, async function () {
    this.timeout(ALL ? 600_000 : 120_000)
    expect(files.length, 'files').to.be.above(1_000)
    expect(found.length, 'expressions').to.be.above(600)
    const slow: string[] = []
    const places = new Map<string, Found[]>()
    for (const each of found) places.set(`/${each.source}/${each.flags}`, [...(places.get(`/${each.source}/${each.flags}`) ?? []), each])
    for (const [text, [first, ...others]] of places) {
      if (first === undefined) continue
      const result = await measuring.measure(first, { all: ALL })
      const where = [first, ...others].map(({ file, line }) => `${file}:${line}`).join(', ')
      if (result.slow) slow.push(`${where} ${text}: ${result.ms.toFixed(1)} ms for ${result.head}`)
    }
    expect(slow, 'rewrite each so that its time grows with its text, or use plain functions of strings').to.deep.equal([])
  })

  it('each expression built at run time has an example here, which is as fast', async () => {
    expect(made.map(({ file, call }) => `${file}: ${call}`).sort()).to.deep.equal(Object.keys(MADE).sort())
    for (const [call, example] of Object.entries(MADE)) expect((await measuring.measure(example)).slow, call).to.equal(false)
  })

  const known: readonly (readonly [string, string, string])[] = [
    ['A3 the beginning of JACOsub subtitles', '^\\s*(?:#|@?\\d+:\\d\\d:\\d\\d\\.\\d\\d|@\\d+)', 'm'],
    ['A9 a header of a part', "^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([^\\r\\n]*)$", ''],
    ['A12 what looks like a key', '\\b(?=[\\w-]*\\d)(?=[\\w-]*[a-z])[\\w-]{28,}\\b', 'gi'],
    ['A12 what looks like a token of three parts', '\\beyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?', 'g'],
    ['slashes at the end', '\\/+$', ''],
    ['blanks around a line break', '\\s*[\\r\\n]+\\s*', ''],
    ['blanks on both sides of what may be a blank', '^rgb\\(\\s*(\\d{1,3})\\s*[, ]\\s*(\\d{1,3})\\)$', ''],
    ['what has an end that does not come', '\\([^)]*\\)', 'g'],
    ['an element that is not closed', '<Error\\b[^>]*\\bNumber="(\\d{1,10})"', 'i'],
    ['a lookahead from each place', '<style:page-layout-properties(?![^>]*scale-to)', 'g'],
    ['a lookbehind from each place', '(?<=a.*)b', 'g'],
    ['a comment that is not closed', '<!--[^]*?-->', 'g'],
    ['a text with escapes', '"(?:[^"\\\\]|\\\\.)*"', 'g'],
    ['a back reference', '(.)\\1+x', ''],
    ['large bounds', '[^\\s@]{1,254}@[^\\s@]{1,254}', 'g'],
  ]
  for (const [name, source, flags] of known)
    it(`one that was slow once, or is of its kind, is found: ${name}`, async () => {
      expect((await measuring.measure({ source, flags })).slow).to.equal(true)
    })

  it('one that takes exponential time is found, and ends the thread that runs it, not the test', async () => {
    const impatient = new Measuring(1_000)
    try {
      for (const source of ['(?:a+)+$', '^(?:\\w|\\d)*\\s$', '^(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/?)*$']) {
        expect(await impatient.measure({ source, flags: '' }), source).to.include({ slow: true, ms: Infinity })
        expect(await impatient.measure({ source: '^[a-z]+$', flags: '' }), 'the one behind it').to.include({ slow: false })
      }
    } finally {
      await impatient.close()
    }
  })

  it('those that do the same in linear time pass', async () => {
    const sound: readonly (readonly [string, string])[] = [
      ['^[ \\t]*(?:#|@?\\d+:\\d\\d:\\d\\d\\.\\d\\d|@\\d+)', 'm'],
      ['^([\\w-]+):([^\\r\\n]*)$', ''],
      ['(?<!\\/)\\/+$', ''],
      ['(?<!\\s)\\s*[\\r\\n]\\s*', ''],
      ['\\([^()]*\\)', 'g'],
      ['\\p{L}[\\p{L}\\p{M}]{0,40}', 'gu'],
    ]
    for (const [source, flags] of sound) expect((await measuring.measure({ source, flags })).slow, source).to.equal(false)
  })

  it('heads have the requested length, and the characters, pairs and beginnings that an expression names', () => {
    const texts = headsFor('^<!--x{2,}(?:b|[0-4])\\s*$', 'i').map((head) => textOf(head, 1_000))
    for (const text of texts) expect(text.length).to.be.within(900, 1_000)
    for (const start of [
      '\n'.repeat(900),
      '\u{1f600}'.repeat(400),
      '<!'.repeat(400),
      '<!--xxb'.repeat(100),
      '<!--' + 'x'.repeat(800),
      '<!--xxb' + ' '.repeat(800),
    ])
      expect(
        texts.some((text) => text.startsWith(start) || text.toLowerCase().startsWith(start)),
        start.slice(0, 12),
      ).to.equal(true)
  })

  it('expressions are found anywhere in all modules that are loaded, and in no others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-expressions-'))
    const put = (name: string, text: string): void => {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    try {
      put(
        'core/main.ts',
        "import { b } from './b.js'\nimport type { C } from './c.js'\nexport const a = (text: string) => b.test(text) || text.split(/x+/u)\n",
      )
      put(
        'core/b.ts',
        "export * from './d.js'\nconst WORD = /\\w/i\nexport const b = new RegExp(WORD)\nexport const e = RegExp(`^${'y'}+`, 'g')\n",
      )
      put('core/c.ts', 'export type C = 1\nexport const c = /never loaded/\n')
      put('core/d.ts', "export const d = async (name: string) => (await import('./e.js'), new RegExp(name,\n  'm'))\n")
      put('core/e.ts', "export const schema = { type: 'string', pattern: '^z$' }\nnew Worker(new URL('./work.js', import.meta.url))\n")
      put('core/work.ts', 'export const w = /in a thread of its own/\n')
      put('core/sdk/index.ts', 'export {}\n')
      put('plugins/one/providers/deep/own.ts', "export const own = { match: (text: string) => text.replace(/o/, '') }\n")
      put('plugins/one/providers/own.spec.ts', 'export const spec = /of a test/\n')
      const sources = expressionsOf(folder, entries(folder))
      expect(sources.found.map(({ file, line, source, flags }) => `${file}:${line} /${source}/${flags}`)).to.have.members([
        'core/main.ts:3 /x+/u',
        'core/b.ts:2 /\\w/i',
        'core/b.ts:3 /\\w/i',
        'core/b.ts:4 /^y+/g',
        'core/e.ts:1 /^z$/u',
        'plugins/one/providers/deep/own.ts:1 /o/',
      ])
      expect(sources.made).to.deep.equal([{ file: 'core/d.ts', line: 1, call: "new RegExp(name, 'm')" }])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

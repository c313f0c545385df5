import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { readingOf } from '../../../../plugins/invoices/layout/invoice.js'
import type { Page } from '../../../../plugins/invoices/layout/types.js'
import { wordsOf } from '../../../../plugins/reading/ocr/tsv.js'
import readPdf from '../../../../plugins/reading/parse/pdf.js'
import readPicture from '../../../../plugins/reading/parse/picture.js'
import { boxes } from './designs/boxes.js'
import { letter } from './designs/letter.js'
import { ledger } from './designs/ledger.js'
import { receipt } from './designs/receipt.js'
import { modelOf, type Model, type Truth } from './model.js'
import { marksOf, type Mark } from './score.js'
import type { Language } from './wording.js'

const LANGUAGES: readonly Language[] = ['en', 'us', 'de', 'ch', 'fr', 'es', 'it', 'nl', 'pt', 'pl']
const DESIGNS = { letter, boxes, ledger, receipt } as const
const CODES: Readonly<Record<Language, string>> = { en: 'eng', us: 'eng', de: 'deu', ch: 'deu', fr: 'fra', es: 'spa', it: 'ita', nl: 'nld', pt: 'por', pl: 'pol' }
const folder = process.env['OPEN_FOLDER'] ?? join(tmpdir(), 'open-invoices')
const seeds = Number(process.env['OPEN_SEEDS'] ?? 1)
const first = Number(process.env['OPEN_FIRST'] ?? 1)
const scans = process.argv.includes('--scans')
const show = process.argv.includes('--show')

interface Case {
  readonly id: string
  readonly model: Model
  readonly html: string
}

function cases(): Case[] {
  const all: Case[] = []
  for (const [at, language] of LANGUAGES.entries())
    for (const design of ['letter', 'boxes', 'ledger', 'receipt'] as const)
      for (let seed = first; seed < first + seeds; seed++) {
        const model = modelOf(seed * 97 + at * 7 + design.charCodeAt(0), language, { receipt: design === 'receipt', lines: seed % 7 === 0 && design !== 'receipt' ? 40 : 6 })
        all.push({ id: `${language}-${design}-${String(seed)}`, model, html: DESIGNS[design](model) })
      }
  return all
}

/** Makes the files that are not there yet. */
async function make(list: readonly Case[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const missing = list.filter(({ id }) => !existsSync(join(folder, `${id}.pdf`)))
  if (missing.length > 0) {
    const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] })
    const page = await browser.newPage()
    for (const { id, html } of missing) {
      await page.setContent(html)
      writeFileSync(join(folder, `${id}.pdf`), await page.pdf({ preferCSSPageSize: true, printBackground: true }))
    }
    await browser.close()
  }
  if (!scans) return
  for (const { id } of list) if (!existsSync(join(folder, `${id}.scan.json`))) writeFileSync(join(folder, `${id}.scan.json`), JSON.stringify(await scanned(id)))
}

/** The pages as a scanner sees them: 200 pixels an inch, 2 degrees askew, with noise, as JPEG; read as the gateway does. */
async function scanned(id: string): Promise<Page[]> {
  execFileSync('pdftoppm', ['-r', '200', '-gray', '-png', join(folder, `${id}.pdf`), join(folder, id)])
  const pages: Page[] = []
  for (let number = 1; number <= 4; number++) {
    const png = [`${id}-${String(number)}.png`, `${id}-0${String(number)}.png`].map((name) => join(folder, name)).find((name) => existsSync(name))
    if (png === undefined) break
    const turned = sharp(png).rotate((id.length % 2 === 0 ? 1 : -1) * 2, { background: '#fff' })
    const { data, info } = await turned.removeAlpha().greyscale().raw().toBuffer({ resolveWithObject: true })
    let state = 12_345
    for (let at = 0; at < data.length; at++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) | 0
      const noise = ((state >>> 16) % 49) - 24
      data[at] = Math.max(0, Math.min(255, (data[at] ?? 0) * 0.9 + 15 + noise))
    }
    const jpeg = await sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } }).blur(0.5).jpeg({ quality: 70 }).toBuffer()
    const picture = await readPicture(jpeg, { page: 0, dpi: 200, turn: null })
    const path = join(folder, `${id}.page.png`)
    writeFileSync(path, Buffer.from(picture.png, 'base64'))
    const language = CODES[id.split('-')[0] as Language]
    const tsv = execFileSync('tesseract', [path, 'stdout', '-l', language, '--psm', '3', '--dpi', '200', 'tsv'], { env: { ...process.env, OMP_THREAD_LIMIT: '1' }, stdio: ['ignore', 'pipe', 'ignore'] })
    pages.push({ page: number, width: (picture.width / 200) * 72, height: (picture.height / 200) * 72, words: wordsOf(tsv, 200) })
  }
  return pages
}

async function wordsIn(id: string): Promise<readonly Page[]> {
  const cached = join(folder, `${id}.words.json`)
  if (!existsSync(cached)) {
    const read = await readPdf(new Uint8Array(readFileSync(join(folder, `${id}.pdf`))), { format: 'pdf', contentType: '', ending: 'pdf', html: false, tables: false, positions: true, attachments: false, firstPage: 1, maxPages: 30 })
    writeFileSync(cached, JSON.stringify(read.positions ?? []))
  }
  return JSON.parse(readFileSync(cached, 'utf8')) as Page[]
}

function table(name: string, marks: readonly { key: string; mark: Mark }[]): void {
  const groups = new Map<string, [number, number]>()
  for (const { key, mark } of marks) {
    const [right, all] = groups.get(key) ?? [0, 0]
    groups.set(key, [right + (mark.right ? 1 : 0), all + 1])
  }
  console.log(`| ${name} | right |\n|---|---|`)
  for (const [key, [right, all]] of groups) console.log(`| ${key} | ${((right / all) * 100).toFixed(1)} % of ${String(all)} |`)
}

const list = cases()
await make(list)
for (const kind of scans ? (['text', 'scan'] as const) : (['text'] as const)) {
  const marks: { language: string; id: string; mark: Mark }[] = []
  const times: number[] = []
  for (const { id, model } of list) {
    const pages = kind === 'text' ? await wordsIn(id) : (JSON.parse(readFileSync(join(folder, `${id}.scan.json`), 'utf8')) as Page[])
    const began = performance.now()
    const { invoice, language } = readingOf(pages)
    times.push(performance.now() - began)
    if (show && language !== ({ us: 'en', ch: 'de' }[model.language as string] ?? model.language)) console.log(`${kind} ${id} language ${String(language)}`)
    if (invoice === null) console.log(`${kind} ${id} nothing`)
    const truth: Truth = model.truth
    for (const mark of invoice === null ? [] : marksOf(truth, invoice)) {
      marks.push({ language: model.language, id, mark })
      if (show && !mark.right) console.log(`${kind} ${id} ${mark.field}: wanted ${JSON.stringify(mark.wanted)}, got ${JSON.stringify(mark.got)}`)
    }
  }
  const right = marks.filter(({ mark }) => mark.right).length
  times.sort((one, two) => one - two)
  console.log(`\n${kind}: ${((right / marks.length) * 100).toFixed(1)} % of ${String(marks.length)} fields, ${(times[times.length >> 1] ?? 0).toFixed(0)} ms median, ${(times.at(-1) ?? 0).toFixed(0)} ms most`)
  table('field', marks.map(({ mark }) => ({ key: mark.field, mark })))
  table('language', marks.map(({ language, mark }) => ({ key: language, mark })))
  table('design', marks.map(({ id, mark }) => ({ key: id.split('-')[1] ?? '', mark })))
}

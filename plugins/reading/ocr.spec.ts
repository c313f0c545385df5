import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { noCallFiles } from '../../test/support/call-files.js'
import { pdf, written } from '../../test/support/documents.js'
import { skip } from '../../test/support/needs.js'
import { ReadingStage, type Recognised } from '../../test/support/reading.js'
import { confidenceOf, textOf, wordsOf } from './ocr/tsv.js'

const LINES = [
  'Ten red kettles stand on the old shelf',
  'and two blue pots hang beside the door',
  'The price of a kettle is 12 Euro today',
  'Nobody in the house drinks any coffee',
  'Please send us the invoice in October',
  'because the cook goes on holiday soon',
] as const
const PAGE = written(...LINES.map((text, at) => [text, 20, 250 - 30 * at, 13] as const))

/** How many of the words occur in a text. */
function share(text: string): number {
  const words = LINES.join(' ').split(' ')
  const found = new Set(text.split(/\s+/))
  return words.filter((word) => found.has(word)).length / words.length
}

describe('reading: text in pictures', function () {
  this.timeout(120_000)
  let stage: ReadingStage
  let folder: string
  let page: Buffer
  before(async function () {
    stage = await ReadingStage.open(this, 'tesseract', 'pdftoppm', 'pdfinfo')
    folder = await mkdtemp(join(tmpdir(), 'capstan-ocr-'))
    await writeFile(join(folder, 'page.pdf'), pdf([{ content: PAGE }]))
    spawnSync('pdftoppm', ['-r', '200', '-gray', '-png', '-singlefile', 'page.pdf', 'page'], { cwd: folder })
    page = await readFile(join(folder, 'page.png'))
  })
  after(async () => {
    await stage?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })
  const turned = (degrees: number): Promise<Buffer> => sharp(page).rotate(degrees, { background: '#fff' }).png().toBuffer()

  it('pages of a PDF are drawn for models that take pictures: as many as wanted, in order, and how many there are', async () => {
    const blank = { content: '' }
    const reply = await stage.ask('document.pages', pdf([{ content: PAGE }, blank, ...Array.from({ length: 10 }, () => blank)]), {
      most: 2,
    })
    const { pages, total } = reply.json<{ data: { pages: { file: { size: number }; content_type: string }[]; total: number } }>().data
    expect(total).to.equal(12)
    expect(pages.map(({ content_type }) => content_type)).to.deep.equal(['image/jpeg', 'image/jpeg'])
    expect(pages[0]?.file.size, 'the written page is the larger one').to.be.above((pages[1]?.file.size ?? 0) * 2)
    expect((await stage.ask('document.pages', 'no PDF')).status).to.equal(422)
    await noCallFiles(stage.temporary)
  })

  it('are words with places in points and how sure they are', async () => {
    const { pages, text, confidence, page_count } = await stage.recognise(page, { dpi: 200 })
    expect(share(text)).to.be.above(0.95)
    expect(text.split('\n').filter((line) => line !== '')).to.have.length(6)
    expect(confidence).to.be.within(0.8, 1)
    expect(page_count).to.equal(1)
    const [only] = pages
    expect(only).to.deep.include({ page: 1, dpi: 200, rotation: 0, skew: 0 })
    expect(only?.width).to.be.closeTo(300, 1)
    const first = only?.words.find((word) => word.text === 'Ten')
    expect(first).to.deep.include({ line: 0 })
    expect(first?.x).to.be.closeTo(20, 2)
    // The baseline is 50 points below the top.
    expect((first?.y ?? 0) + (first?.height ?? 0)).to.be.closeTo(50, 2)
    expect(first?.confidence).to.be.within(0.5, 1)
  })

  for (const degrees of [-5, -1.3, 2, 5])
    it(`are straightened when the page lies askew by ${degrees} degrees`, async () => {
      const { pages, text } = await stage.recognise(await turned(degrees), { dpi: 200 })
      expect(share(text)).to.be.above(0.9)
      expect(pages[0]?.skew).to.be.closeTo(-degrees, 0.3)
      const first = LINES[0].split(' ')
      const tops = pages[0]?.words.filter(({ line }) => line === 0).map(({ y, height }) => y + height) ?? []
      expect(tops.length).to.be.at.least(first.length - 1)
      expect(Math.max(...tops) - Math.min(...tops)).to.be.below(5)
    })

  for (const [degrees, back] of [
    [90, 270],
    [180, 180],
    [270, 90],
    [93, 270],
    [177, 180],
  ] as const)
    it(`are turned upright when the page is turned by ${degrees} degrees`, async function () {
      if (!existsSync('/usr/share/tesseract-ocr/5/tessdata/osd.traineddata'))
        skip(this, 'the Debian package tesseract-ocr-osd is not installed')
      const { pages, text } = await stage.recognise(await turned(degrees), { dpi: 200 })
      expect(share(text)).to.be.above(0.9)
      expect(pages[0]?.rotation).to.equal(back)
    })

  it('are read in JPEG turned by EXIF, in WebP, and in each page of a TIFF', async () => {
    const exif = await sharp(page).rotate(270).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const answers: Recognised[] = [await stage.recognise(exif), await stage.recognise(await sharp(page).webp().toBuffer())]
    for (const { text, pages } of answers) expect([share(text) > 0.9, pages[0]?.rotation]).to.deep.equal([true, 0])
    const tiff = await sharp([page, page], { join: { animated: true } })
      .tiff()
      .toBuffer()
    const { pages, page_count, text } = await stage.recognise(tiff, { pages: [2] })
    expect([page_count, pages.map(({ page: number }) => number), share(text) > 0.9]).to.deep.equal([2, [2], true])
  })

  it('are read page by page in a PDF, at the places where its own words are', async () => {
    const file = pdf([{ content: '' }, { content: PAGE }, { content: written(['Only this one line of text', 20, 100, 14]) }])
    const all = await stage.recognise(file)
    expect(all).to.deep.include({ page_count: 3, truncated: false })
    expect(all.pages.map(({ page: number, words }) => [number, words.length > 3])).to.deep.equal([
      [1, false],
      [2, true],
      [3, true],
    ])
    const { positions } = await stage.read(file, { want: ['positions'] })
    const place = (words: readonly { text: string; x: number; y: number; height: number }[] | undefined): number[] => {
      const word = words?.find(({ text }) => text === 'kettles')
      return word === undefined ? [] : [word.x, word.y + word.height]
    }
    const [own, recognised] = [place(positions?.[1]?.words), place(all.pages[1]?.words)]
    expect(recognised[0]).to.be.closeTo(own[0] ?? NaN, 4)
    expect(recognised[1]).to.be.closeTo(own[1] ?? NaN, 5)
    const some = await stage.recognise(file, { pages: [3] })
    expect(some.pages.map(({ page: number }) => number)).to.deep.equal([3])
    expect((await stage.ask('ocr.read', file, { pages: [4] })).text).to.contain('no page 4')
  })

  it('in a language that is not installed are a Fault that names the package, or a remark when another is', async () => {
    const reply = await stage.ask('ocr.read', page, { languages: ['zzz'] })
    expect(reply.text).to.contain('no-result')
    expect(reply.text).to.contain('tesseract-ocr-zzz')
    const both = await stage.recognise(page, { languages: ['eng', 'chi_zzz'] })
    expect(both.notes.join()).to.contain('tesseract-ocr-chi-zzz')
    expect(share(both.text)).to.be.above(0.9)
  })

  it('where there are none is missing; what is no picture, broken, encrypted or too large is invalid', async () => {
    const blank = await sharp({ create: { width: 600, height: 600, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const nothing = await stage.ask('ocr.read', blank)
    expect(nothing.text).to.contain('Nothing readable').and.contain('no-result')
    const huge = await sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><text>x</text></svg>'
    for (const file of [
      Buffer.from('hello'),
      page.subarray(0, 3000),
      huge,
      Buffer.from(svg),
      Buffer.from('%PDF-1.7 nothing'),
      Buffer.alloc(0),
    ]) {
      const reply = await stage.ask('ocr.read', file)
      expect(reply.text).to.contain('validation-failed')
      expect(reply.text).not.to.contain('/usr').and.not.contain('/tmp')
    }
  })

  it('leave no file behind', async () => {
    await noCallFiles(stage.temporary)
  })
})

describe('reading: what tesseract writes', () => {
  const row = (...fields: readonly (string | number)[]): string => fields.join('\t')
  it('is read word by word, and what is none is passed over', () => {
    const tsv = [
      row('level', 'page_num', 'block_num', 'par_num', 'line_num', 'word_num', 'left', 'top', 'width', 'height', 'conf', 'text'),
      row(4, 1, 1, 1, 1, 0, 0, 0, 9, 9, -1, ''),
      row(5, 1, 1, 1, 1, 1, 100, 200, 50, 20, 96.5, 'Ten'),
      row(5, 1, 1, 1, 1, 2, 160, 200, 50, 20, -1, 'x'),
      row(5, 1, 1, 1, 2, 1, 100, 230, 50, 20, 50, 'red'),
      row(5, 1, 2, 1, 1, 1, 100, 400, 50, 20, 90, 'pots'),
      'nonsense',
    ].join('\n')
    const words = wordsOf(Buffer.from(tsv), 144)
    expect(words[0]).to.deep.equal({ text: 'Ten', x: 50, y: 100, width: 25, height: 10, line: 0, block: 0, confidence: 0.97 })
    expect(words.map(({ text, line, block }) => [text, line, block])).to.deep.equal([
      ['Ten', 0, 0],
      ['red', 1, 0],
      ['pots', 2, 1],
    ])
    expect(textOf(words)).to.equal('Ten\nred\n\npots')
    expect(confidenceOf(words)).to.equal(0.8)
    expect(confidenceOf([])).to.equal(0)
  })
})

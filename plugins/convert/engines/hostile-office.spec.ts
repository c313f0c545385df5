import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noCallFiles } from '../../../test/support/call-files.js'
import { told } from '../../../test/support/conversions/checks.js'
import { basicDocument, macroCode } from '../../../test/support/conversions/macros.js'
import { pdf } from '../../../test/support/conversions/pdf.js'
import { gradient } from '../../../test/support/conversions/pictures.js'
import { compoundFile } from '../../../test/support/conversions/seeds/compound.js'
import { SOUNDS } from '../../../test/support/conversions/seeds/media.js'
import { excelFile, MAIN_TYPES, wordFile } from '../../../test/support/conversions/seeds/ooxml.js'
import { vbaProject } from '../../../test/support/conversions/seeds/vba.js'
import { WORD } from '../../../test/support/conversions/seeds/word.js'
import { ConversionWorld } from '../../../test/support/conversions/world.js'
import { needs } from '../../../test/support/exec-sandbox.js'

const EVIL = '/tmp/capstan-evil'
const RAN = 'The macro ran'

describe('T-49 T-51 files.convert: macros, passwords, cut and endless files', function () {
  this.timeout(1_500_000)
  let world: ConversionWorld

  before(async function () {
    needs(this, 'soffice', 'bsdtar', 'gs', 'pdftotext', 'pdftoppm', 'ffmpeg', 'ebook-convert', 'pandoc', 'bwrap')
    world = await ConversionWorld.start()
  })
  after(async () => {
    await world?.close()
  })

  /** 422 with the reason, and free of charge. */
  const refused = async (what: string, source: { data: string | Uint8Array; from: string; to: string }, says: RegExp): Promise<void> => {
    const reply = await world.ask(source)
    expect(reply.status, `${what}: ${reply.text}`).to.equal(422)
    expect(reply.text, what).to.match(says)
    expect(reply.headers['x-credits-used'], what).to.equal('0')
    expect(world.hits, what).to.deep.equal([])
  }

  it('macros that start by themselves do not, and are not in the result', async () => {
    const code = macroCode({ file: EVIL, url: `${world.url}/macro`, text: RAN })
    const text = { project: vbaProject({ ThisDocument: code.word, Module1: code.word }) }
    const sheet = { project: vbaProject({ ThisWorkbook: code.excel, Module1: code.excel }) }
    const files: readonly (readonly [from: string, to: string, data: Uint8Array])[] = [
      ['docm', 'odt', wordFile(MAIN_TYPES.docm, text)],
      ['dotm', 'docm', wordFile(MAIN_TYPES.dotm, text)],
      ['xlsm', 'csv', excelFile(MAIN_TYPES.xlsm, sheet)],
      ['xlsm', 'ods', excelFile(MAIN_TYPES.xlsm, sheet)],
      ['xltm', 'xlsm', excelFile(MAIN_TYPES.xltm, sheet)],
      ['xltm', 'fods', excelFile(MAIN_TYPES.xltm, sheet)],
      ['odt', 'ott', basicDocument(code.basic)],
    ]
    for (const [from, to, data] of files) {
      const { bytes } = await world.convert({ data, from, to })
      const zipped = bytes.toString('latin1', 0, 2) === 'PK'
      const shown = zipped
        ? told('bsdtar', ['-xOf', 'result'], bytes)
        : to === 'pdf'
          ? told('pdftotext', ['result', '-'], bytes)
          : bytes.toString()
      expect(shown, `${from} to ${to}`).to.contain(WORD).and.not.contain(RAN).and.not.contain('AutoOpen')
      if (zipped) expect(told('bsdtar', ['-tf', 'result'], bytes), `${from} to ${to}`).to.not.match(/^(?:Basic|Scripts)\/|vbaProject/im)
      expect(existsSync(EVIL), `${from} to ${to}`).to.equal(false)
      expect(world.hits, `${from} to ${to}`).to.deep.equal([])
    }
  })

  it('files under a password are refused, and it is said that they are', async () => {
    const sealed = compoundFile({ EncryptionInfo: Buffer.alloc(200, 4), EncryptedPackage: Buffer.alloc(5_000, 7) })
    for (const [from, to] of [
      ['docx', 'pdf'],
      ['xlsx', 'csv'],
      ['pptx', 'odp'],
    ] as const)
      await refused(`${from} to ${to}`, { data: sealed, from, to }, /protected by a password\./)
    const locked = await lockedFiles()
    for (const to of ['png', 'txt', 'svg', 'docx', 'epub'])
      await refused(`pdf to ${to}`, { data: locked.pdf, from: 'pdf', to }, /protected by a password/)
    await refused('zip to tar', { data: locked.zip, from: 'zip', to: 'tar' }, /protected by a password/)
  })

  it('files that are cut off are refused', async () => {
    const cut = (data: Uint8Array, part: number): Uint8Array => data.subarray(0, Math.floor(data.length * part))
    const png = await gradient()
    const book = (await world.convert({ data: `<html><body><p>${WORD}</p></body></html>`, from: 'html', to: 'epub' })).bytes
    for (const [from, to, data] of [
      ['docx', 'pdf', cut(wordFile(MAIN_TYPES.docx), 0.6)],
      ['xlsx', 'csv', cut(excelFile(MAIN_TYPES.xlsx), 0.6)],
      ['epub', 'pdf', cut(book, 0.6)],
      ['pdf', 'png', cut(pdf([WORD]), 0.3)],
      ['png', 'webp', cut(png, 0.4)],
      ['wav', 'mp3', cut(SOUNDS['wav'] ?? Buffer.alloc(0), 0.001)],
    ] as const)
      await refused(`${from} to ${to}`, { data, from, to }, /damaged|cannot be read|can be read|cut off|has no end/i)
  })

  it('files with the name of another format are refused, and it is said what they are', async () => {
    const png = await gradient()
    await refused('a picture as sound', { data: png, from: 'mp3', to: 'wav' }, /no mp3 file.*set source_format to png/)
    await refused('a sheet as a text', { data: excelFile(MAIN_TYPES.xlsx), from: 'docx', to: 'pdf' }, /no docx file.*xlsx/)
    await refused('a PDF as a book', { data: pdf([WORD]), from: 'epub', to: 'txt' }, /no epub file.*set source_format to pdf/)
    await refused('a text as a PDF', { data: WORD, from: 'pdf', to: 'png' }, /no pdf file/)
  })

  it('10,000 pages become no pictures, and a table of more lines than a sheet or pages hold is refused at once', async () => {
    const pages = pdf(Array.from({ length: 10_000 }, () => ''))
    for (const to of ['png', 'svg', 'webp']) await refused(`pages to ${to}`, { data: pages, from: 'pdf', to }, /10,?000 pages/)
    await refused('pages to a text', { data: pages, from: 'pdf', to: 'docx' }, /more than 1000 pages/)
    const rows = Buffer.from('1,"two",3.5\n'.repeat(1_000_000))
    await refused('a million rows to pages', { data: rows, from: 'csv', to: 'pdf' }, /more than 100000 lines/)
    await refused('more rows than a sheet has', { data: Buffer.concat([rows, rows]), from: 'csv', to: 'xlsx' }, /more than 1048576 lines/)
  })

  it('T-52 leaves no file behind', async () => {
    await noCallFiles(world.folder)
  })
})

/** A password-protected PDF by Ghostscript, and such an archive by bsdtar. */
async function lockedFiles(): Promise<{ pdf: Uint8Array; zip: Uint8Array }> {
  const folder = await mkdtemp(join(tmpdir(), 'locked-'))
  try {
    await writeFile(join(folder, 'plain.pdf'), pdf([WORD]))
    const run = (program: string, args: readonly string[]): void => {
      const { status, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${program}: ${stderr}`)
    }
    const words = [
      '-q',
      '-dBATCH',
      '-dNOPAUSE',
      '-sDEVICE=pdfwrite',
      '-sUserPassword=one',
      '-sOwnerPassword=two',
      '-sOutputFile=locked.pdf',
    ]
    run('gs', [...words, 'plain.pdf'])
    run('bsdtar', ['-cf', 'locked.zip', '--format', 'zip', '--options', 'zip:encryption=aes256', '--passphrase', 'one', 'plain.pdf'])
    return { pdf: await readFile(join(folder, 'locked.pdf')), zip: await readFile(join(folder, 'locked.zip')) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

import { Fault, type ExecResult, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { programFault } from '../../_shared/program-fault.js'
import type { OcrPage, OcrWord } from '../contract.js'
import type { Picture, PictureArgs } from '../parse/picture.js'
import { confidenceOf, textOf, weightOf, wordsOf } from './tsv.js'

const PICTURE = new URL('../parse/picture.js', import.meta.url)
const PREPARE = { timeoutMs: 15_000, memoryMb: 768 }
const PAGE_MS = 30_000
/** Below this confidence a page may be upside down. */
const DOUBTFUL = 0.7
const FEW_LETTERS = 20
const POINTS = 72

/** A recognised page, and its notes for the caller. */
export interface Recognised {
  readonly page: OcrPage
  readonly pages: number
  /** Codes of missing languages. */
  readonly lacking: readonly string[]
}

interface Attempt {
  readonly picture: Picture
  readonly words: readonly OcrWord[]
  readonly lacking: readonly string[]
}

/**
 * Recognises a picture: deskewed by its lines, and rotated by letter orientation when little is readable. `page` is
 * the number of the page. Throws Fault `invalid` for a picture that cannot be read, `missing` when none of the
 * languages is installed.
 */
export async function recognise(
  context: ProviderContext,
  file: ScratchFile,
  { page, dpi, frame, languages }: { page: number; dpi: number | null; frame: number; languages: readonly string[] },
): Promise<Recognised> {
  const attempt = async (turn: number | null): Promise<Attempt> => {
    const picture = await prepared(context, file, { page: frame, dpi, turn })
    return { picture, ...(await read(context, picture, languages)) }
  }
  const first = await attempt(null)
  const best = isDoubtful(first.words) ? await turned(context, first, attempt) : first
  const { picture, words, lacking } = best
  const points = (pixels: number): number => Math.round((pixels / picture.dpi) * POINTS * 100) / 100
  const { dpi: resolution, turn, skew, pages } = picture
  return {
    page: {
      ...{ page, width: points(picture.width), height: points(picture.height), dpi: resolution, rotation: turn, skew },
      words: [...words],
      text: textOf(words),
    },
    pages,
    lacking,
  }
}

async function prepared(context: ProviderContext, file: ScratchFile, args: PictureArgs): Promise<Picture> {
  try {
    return await context.parse<Picture>(PICTURE, file, { ...PREPARE, args })
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'blocked') throw error
    throw new Fault('invalid', `The picture is not read: ${error.message}.`, { cause: error, costly: error.costly })
  }
}

async function read(context: ProviderContext, picture: Picture, languages: readonly string[]): Promise<Omit<Attempt, 'picture'>> {
  const result = await tesseract(context, picture, ['-l', languages.join('+'), '--psm', '3', '--dpi', String(picture.dpi), 'tsv'])
  const output = Buffer.from(result.stderr).toString('utf8')
  const lacking = languages.filter((language) => output.includes(`Failed loading language '${language}'`))
  if (lacking.length === languages.length) throw new Fault('missing', lackingNote(lacking))
  assertRead(result, context)
  return { words: wordsOf(result.stdout, picture.dpi), lacking }
}

/** The better result of the page as it is, and rotated by letter orientation; without one, upside down. */
async function turned(context: ProviderContext, first: Attempt, attempt: (turn: number) => Promise<Attempt>): Promise<Attempt> {
  const { code, stdout } = await tesseract(context, first.picture, ['--psm', '0'])
  const output = Buffer.from(stdout).toString('utf8')
  const quarter = Number(/^Rotate: (\d+)$/m.exec(output)?.[1] ?? NaN)
  if (code === 0 && quarter === 0) return first
  if (code !== 0 && first.picture.turn === 0) return first
  const second = await attempt((first.picture.turn + (code === 0 && Number.isInteger(quarter) ? quarter : 180)) % 360)
  return weightOf(second.words) > weightOf(first.words) ? second : first
}

async function tesseract(context: ProviderContext, picture: Picture, options: readonly string[]): Promise<ExecResult> {
  return await context.exec('tesseract', ['page.png', 'stdout', ...options], {
    files: [{ name: 'page.png', data: Buffer.from(picture.png, 'base64') }],
    // More than one thread makes it slower.
    env: { OMP_THREAD_LIMIT: '1' },
    timeoutMs: PAGE_MS,
    memoryMb: 768,
    diskMb: 64,
  })
}

function isDoubtful(words: readonly OcrWord[]): boolean {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return letters < FEW_LETTERS || confidenceOf(words) < DOUBTFUL
}

/** Throws the Fault of a failed program run. Nothing else reads such pages. */
export function assertRead(result: ExecResult, context: Pick<ProviderContext, 'timeLeft'>): void {
  if (result.code === 0) return
  const refused = 'A page of the file cannot be read.'
  throw programFault(result, { done: 'read', refused, subject: 'A page of the file', timeLeft: context.timeLeft(), alone: true })
}

/** The Debian packages of the missing languages. */
export function lackingNote(languages: readonly string[]): string {
  const packages = languages.map((language) => `tesseract-ocr-${language.replaceAll('_', '-')}`)
  return `Text in ${languages.join(', ')} cannot be recognised here: install the Debian package ${packages.join(', ')}.`
}

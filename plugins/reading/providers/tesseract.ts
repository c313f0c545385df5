import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { tesseract as vendor } from '../../_vendors/tesseract.js'
import { ocrRead } from '../contract.js'
import { headOf, isPdf } from '../head.js'
import { inTurn } from '../ocr/in-turn.js'
import { pagePicture, pdfPages } from '../ocr/pdf-pages.js'
import { lackingNote, recognise, type Recognised } from '../ocr/recognise.js'
import { confidenceOf } from '../ocr/tsv.js'
import { settings } from '../settings.js'

const DEFAULT_PAGES = 20
/** Milliseconds reserved for returning the result. */
const REPORT_MS = 2_000

export const tesseract = provider(ocrRead, {
  vendor,
  settings,
  rank: 10,
  run: async ({ file, pages, languages: requested, dpi, leave_ms }, context) => {
    const languages = requested ?? context.settings.languages
    const asPdf = isPdf(await headOf(file, context), false)
    const { wanted, count, read } = asPdf
      ? await ofPdf(context, file, { pages, languages })
      : await ofPicture(context, file, { pages, languages, dpi })
    const results = await inTurn(wanted, read, {
      timeLeft: () => context.timeLeft() - Math.max(REPORT_MS, leave_ms),
      wait: (ms) => context.wait(ms),
      progress: (page, done) => context.progress('recognising', `page ${page}`, done, wanted.length),
    })
    const got = results.flatMap(({ result }) => (result === null ? [] : [result]))
    const left = results.filter(({ result }) => result === null)
    const [failure] = left.flatMap(({ fault }) => fault ?? [])
    if (got.length === 0 && failure !== undefined) throw failure
    const words = got.flatMap(({ page }) => page.words)
    if (words.length === 0) throw new Fault('missing', 'Nothing readable was found in the file.')
    const lacking = [...new Set(got.flatMap((each) => each.lacking))]
    const total = Math.max(count, ...got.map((each) => each.pages))
    const unread = left.map(({ page, fault }) => `Page ${page} was not read: ${fault?.message ?? 'there was no time left.'}`)
    return {
      pages: got.map(({ page }) => page),
      page_count: total,
      text: got
        .map(({ page }) => page.text)
        .filter((text) => text !== '')
        .join('\n\n'),
      confidence: confidenceOf(words),
      languages: languages.filter((language) => !lacking.includes(language)),
      truncated: left.length > 0 || (pages === null && total > got.length),
      notes: [
        ...(lacking.length === 0 ? [] : [lackingNote(lacking)]),
        ...unread.slice(0, 10),
        ...(pages === null && total > wanted.length ? [`Of ${total} pages the first ${wanted.length} were read.`] : []),
      ],
    }
  },
})

interface Work {
  /** Numbers of the pages to read. */
  readonly wanted: readonly number[]
  /** Pages of the file, as far as known. */
  readonly count: number
  readonly read: (page: number) => Promise<Recognised>
}

async function ofPdf(
  context: ProviderContext,
  file: ScratchFile,
  { pages, languages }: { pages: readonly number[] | null; languages: readonly string[] },
): Promise<Work> {
  const { count, longest } = await pdfPages(context, file, pages === null ? DEFAULT_PAGES : Math.max(...pages))
  const wanted = chosen(pages, count)
  return {
    wanted,
    count,
    read: async (page) => {
      const { picture, dpi } = await pagePicture(context, file, { page, longest: longest(page) })
      try {
        return await recognise(context, picture, { page, dpi, frame: 0, languages })
      } finally {
        await context.scratch.remove(picture)
      }
    },
  }
}

/** The page count of a TIFF is known once its first page is read. */
async function ofPicture(
  context: ProviderContext,
  file: ScratchFile,
  { pages, languages, dpi }: { pages: readonly number[] | null; languages: readonly string[]; dpi: number | null },
): Promise<Work> {
  const read = (page: number): Promise<Recognised> => recognise(context, file, { page, dpi, frame: page - 1, languages })
  const begin = pages === null ? 1 : Math.min(...pages)
  const first = await read(begin)
  return {
    wanted: chosen(pages, first.pages),
    count: first.pages,
    read: (page) => (page === begin ? Promise.resolve(first) : read(page)),
  }
}

function chosen(pages: readonly number[] | null, count: number): number[] {
  if (pages === null) return Array.from({ length: Math.min(DEFAULT_PAGES, count) }, (_, at) => at + 1)
  const wanted = [...new Set(pages)].sort((one, two) => one - two)
  const beyond = wanted.find((page) => page > count)
  if (beyond !== undefined) throw new Fault('invalid', `The file has no page ${beyond}, only ${count}.`, { loc: ['pages'] })
  return wanted
}

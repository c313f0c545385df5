import { docx, pdf, written } from '../../../test/support/documents.js'
import { ReadingStage } from '../../../test/support/reading.js'

const WARM_UPS = 3
const ROUNDS = 20
/** Lines of a page, at about 75 letters. */
const LINES = 20
const SENTENCE = 'The quick brown fox jumps over the lazy dog while ten red kettles boil.'

/** Medians of reading a PDF of 20 pages, a page by recognition and a Word document, through a gateway; each as one line for `say`. */
export async function benchReading(say: (line: string) => void): Promise<void> {
  const stage = await ReadingStage.start()
  const small = (text: string, at: number): [string, number, number, number] => [text, 10, 280 - 13 * at, 8]
  const page = { content: written(...Array.from({ length: LINES }, (_, at) => small(SENTENCE, at))) }
  const twenty = pdf(Array.from({ length: 20 }, () => page))
  const paragraph = `<w:p><w:r><w:t>${SENTENCE}</w:t></w:r></w:p>`
  const letter = docx({
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph.repeat(400)}</w:body></w:document>`,
  })
  try {
    const figure = async (what: string, work: () => Promise<unknown>): Promise<void> =>
      say(`| ${what} | ${(await median(work)).toFixed(0)} ms |`)
    await figure('document.read, PDF of 20 pages', () => stage.read(twenty))
    await figure('document.read, PDF of 20 pages with the places of its words', () => stage.read(twenty, { want: ['positions'] }))
    await figure('document.read, Word document of 400 paragraphs', () => stage.read(letter))
    await figure('ocr.read, one page of a PDF', () => stage.recognise(pdf([page])))
  } finally {
    await stage.close()
  }
}

/** Milliseconds of a call, median of 20 after 3. */
async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    const began = performance.now()
    await work()
    if (round >= WARM_UPS) times.push(performance.now() - began)
  }
  return times.sort((one, two) => one - two)[ROUNDS / 2] ?? NaN
}

import { docx, pdf, written } from '../../../test/support/documents.js'
import { ReadingStage } from '../../../test/support/reading.js'
import { medianMs, row, type Say } from './figure.js'

/** Lines of a page, at about 75 letters. */
const LINES = 20
const SENTENCE = 'The quick brown fox jumps over the lazy dog while ten red kettles boil.'

/** Medians of reading a PDF of 20 pages, a page by recognition and a Word document, through a gateway. */
export async function benchReading(say: Say): Promise<void> {
  const stage = await ReadingStage.start()
  const small = (text: string, at: number): [string, number, number, number] => [text, 10, 280 - 13 * at, 8]
  const page = { content: written(...Array.from({ length: LINES }, (_, at) => small(SENTENCE, at))) }
  const twenty = pdf(Array.from({ length: 20 }, () => page))
  const paragraph = `<w:p><w:r><w:t>${SENTENCE}</w:t></w:r></w:p>`
  const letter = docx({
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraph.repeat(400)}</w:body></w:document>`,
  })
  try {
    const figure = async (what: string, most: number | undefined, work: () => Promise<unknown>): Promise<void> =>
      say(row(what, await medianMs(work), { unit: 'ms', ...(most === undefined ? {} : { most }) }))
    await figure('document.read, PDF of 20 pages', 400, () => stage.read(twenty))
    await figure('the same with the places of its words', undefined, () => stage.read(twenty, { want: ['positions'] }))
    await figure('document.read, Word document of 400 paragraphs', undefined, () => stage.read(letter))
    await figure('ocr.read, one page of a PDF', 3_000, () => stage.recognise(pdf([page])))
  } finally {
    await stage.close()
  }
}

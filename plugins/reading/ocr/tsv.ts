import type { OcrWord } from '../contract.js'

const POINTS = 72
const MAX_WORDS = 10_000
/** The word level, below page, block, paragraph and line. */
const WORD = '5'

/**
 * Words of a page from tesseract's TSV (tesseract(1), `tsv`): level, page, block, paragraph, line, word, left, top,
 * width, height, confidence, text.
 */
export function wordsOf(tsv: Uint8Array, dpi: number): OcrWord[] {
  const words: OcrWord[] = []
  const lines = new Map<string, number>()
  const blocks = new Map<string, number>()
  const points = (pixels: string | undefined): number => Math.round((Number(pixels) / dpi) * POINTS * 100) / 100
  for (const row of Buffer.from(tsv).toString('utf8').split('\n')) {
    const [level, , block = '', paragraph = '', line = '', , left, top, width, height, confidence, text] = row.split('\t')
    const percent = Number(confidence)
    if (level !== WORD || text === undefined || text.trim() === '' || !(percent >= 0)) continue
    if (words.length >= MAX_WORDS) break
    words.push({
      text: text.trim(),
      ...{ x: points(left), y: points(top), width: points(width), height: points(height) },
      line: numbered(lines, `${block} ${paragraph} ${line}`),
      block: numbered(blocks, `${block} ${paragraph}`),
      confidence: Math.round(Math.min(100, percent)) / 100,
    })
  }
  return words
}

/** Lines of words, with a blank line between blocks. */
export function textOf(words: readonly OcrWord[]): string {
  let text = ''
  words.forEach((word, at) => {
    const before = words[at - 1]
    if (before !== undefined) text += before.block !== word.block ? '\n\n' : before.line !== word.line ? '\n' : ' '
    text += word.text
  })
  return text
}

/** Mean confidence weighted by word length; 0 without words. */
export function confidenceOf(words: readonly OcrWord[]): number {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  return letters === 0 ? 0 : Math.round((weightOf(words) / letters) * 100) / 100
}

/** How much was read, weighted by confidence. */
export function weightOf(words: readonly OcrWord[]): number {
  return words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
}

function numbered(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key) ?? numbers.size
  numbers.set(key, known)
  return known
}

import type { DocumentRead } from '../contract.js'
import { separator, type Line } from './pdf-lines.js'
import type { Run } from './pdf-runs.js'

type Word = NonNullable<DocumentRead['positions']>[number]['words'][number]

type Placed = Omit<Word, 'line' | 'block'>

/** The words of a page with their positions; in a longer run each has the usual width of its letters, scaled to the run. */
export function wordsOf(lines: readonly Line[]): Word[] {
  return lines.flatMap(({ runs, block }, line) => joined(runs).map((word) => ({ ...word, line, block })))
}

/** Words of a line. One may be drawn in several runs, such as a ligature in its own font between letters. */
function joined(runs: readonly Run[]): Placed[] {
  const words: Placed[] = []
  runs.forEach((run, at) => {
    const [first, ...rest] = split(run)
    const [before, last] = [runs[at - 1], words.at(-1)]
    const joins = before !== undefined && separator(before, run) === '' && !/\s$/.test(before.text) && !/^\s/.test(run.text)
    if (joins && last !== undefined && first !== undefined) words[words.length - 1] = together(last, first)
    else if (first !== undefined) words.push(first)
    words.push(...rest)
  })
  return words
}

function together(one: Placed, other: Placed): Placed {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  const right = Math.max(one.x + one.width, other.x + other.width)
  const bottom = Math.max(one.y + one.height, other.y + other.height)
  return { text: one.text + other.text, ...rounded(x, y, right - x, bottom - y) }
}

function split(run: Run): Placed[] {
  const scale = (run.upright ? run.height : run.width) / widthOf(run.text)
  const words: Placed[] = []
  let start = 0
  for (const [text] of run.text.matchAll(/\s+|\S+/g)) {
    const width = widthOf(text) * scale
    if (text.trim() !== '') words.push({ text, ...placeOf(run, start, width) })
    start += width
  }
  return words
}

function placeOf(run: Run, start: number, width: number): ReturnType<typeof rounded> {
  if (run.upright) return rounded(run.x, run.y + start, run.width, width)
  return rounded(run.rightToLeft ? run.x + run.width - start - width : run.x + start, run.y, width, run.height)
}

/** Width relative to the letter size, as in Helvetica: sufficient to divide a run of known width. */
function widthOf(text: string): number {
  let width = 0
  for (const letter of text)
    width += /[\s.,:;!|'ijlIt()[\]/\\-]/.test(letter) ? 0.3 : /[mwMW@%]/.test(letter) ? 0.85 : /\p{Lu}/u.test(letter) ? 0.68 : 0.55
  return width
}

function rounded(x: number, y: number, width: number, height: number): Pick<Word, 'x' | 'y' | 'width' | 'height'> {
  const round = (points: number): number => Math.round(points * 100) / 100
  return { x: round(x), y: round(y), width: round(width), height: round(height) }
}

import { isRecord } from '../../../core/sdk/json.js'
import type { Mark, Replacement } from './pdf-replacements.js'

/** A piece of text drawn at one position. Points from the upper left corner of the page as displayed. */
export interface Run {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Position and size of the letters. */
  readonly baseline: number
  readonly size: number
  /** Runs from right to left. */
  readonly rightToLeft: boolean
  /** Written upwards or downwards. */
  readonly upright: boolean
  /** From a form field. */
  readonly filled: boolean
}

interface View {
  readonly transform: readonly number[]
  convertToViewportRectangle(rect: number[]): number[]
}

/** Share of a letter's height above the baseline in most fonts. */
const ASCENT = 0.8
const MAX_FIELD = 10_000
/** Characters of a page that replace others. */
const MAX_REPLACED = 1_000_000
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
/** Vertical presentation forms of punctuation. */
const VERTICAL_FORMS = /[\ufe10-\ufe19\ufe30-\ufe48]/g

/**
 * The runs of a page in drawing order, with replacements in place, then the values of its form fields; and the web
 * addresses of its links.
 */
export function runsOf(
  content: { readonly items: readonly unknown[] },
  view: View,
  annotations: readonly unknown[],
  marks: readonly Mark[] | null = null,
): { runs: Run[]; links: string[] } {
  const drawn = content.items.filter(isRecord)
  const runs =
    marks === null || !agree(drawn, marks) ? drawn.flatMap((item) => runOf(item, view.transform)) : replaced(drawn, view.transform, marks)
  const links: string[] = []
  for (const annotation of annotations) {
    if (!isRecord(annotation)) continue
    if (typeof annotation['url'] === 'string') links.push(annotation['url'])
    runs.push(...fieldOf(annotation, view))
  }
  return { runs, links }
}

/** Whether the marks match those found by pdf.js, each with its tag. */
function agree(items: readonly Record<string, unknown>[], marks: readonly Mark[]): boolean {
  const begun = items.filter(({ type }) => type === 'beginMarkedContent' || type === 'beginMarkedContentProps')
  return begun.length === marks.length && begun.every(({ tag }, at) => (tag ?? null) === marks[at]?.tag)
}

/**
 * Runs, with those that one text replaces joined at the position of the first. The outermost of several texts is
 * used.
 */
function replaced(items: readonly Record<string, unknown>[], view: readonly number[], marks: readonly Mark[]): Run[] {
  /** For each open mark, the outermost replacement up to it. */
  const open: (Replacement | null)[] = []
  const groups: { readonly by: Replacement | null; readonly runs: Run[] }[] = []
  const known = new Map<Replacement, Run[]>()
  let [next, room] = [0, MAX_REPLACED]
  for (const item of items) {
    if (item['type'] === 'endMarkedContent') open.pop()
    else if (item['type'] !== undefined) {
      const own = marks[next++]?.replacement ?? null
      open.push(open.at(-1) ?? own)
    } else {
      const by = open.at(-1) ?? null
      const runs = runOf(item, view)
      const group = by === null ? undefined : known.get(by)
      if (group !== undefined) for (const run of runs) group.push(run)
      else {
        groups.push({ by, runs })
        if (by !== null) known.set(by, runs)
      }
    }
  }
  return groups.flatMap(({ by, runs }) => {
    if (by === null || by.text.length > room) return runs
    room -= by.text.length
    return substituted(runs, by.text)
  })
}

/**
 * Runs with another text, distributed by their length when they are several lines. A text without letters does not
 * replace one with letters.
 */
function substituted(runs: readonly Run[], text: string): Run[] {
  const words = text
    .replaceAll('\u00ad', '')
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0 && runs.some((run) => /[\p{L}\p{N}]/u.test(run.text))) return [...runs]
  const lines: Run[][] = []
  for (const run of runs) {
    const before = lines.at(-1)?.[0]
    const isSame = before !== undefined && before.upright === run.upright && Math.abs(before.baseline - run.baseline) <= run.size / 2
    if (isSame) lines.at(-1)?.push(run)
    else lines.push([run])
  }
  const drawn = lines.map((line) => line.reduce((sum, run) => sum + run.text.length, 0))
  const [all, letters] = [drawn.reduce((sum, length) => sum + length, 0), words.reduce((sum, word) => sum + word.length, 0)]
  let [at, given, share] = [0, 0, 0]
  return lines.flatMap((line, number) => {
    share += ((drawn[number] ?? 0) / all) * letters
    const from = at
    for (let word = words[at]; word !== undefined && (number === lines.length - 1 || given + word.length / 2 < share); word = words[at]) {
      given += word.length
      at += 1
    }
    return from === at ? [] : [together(line, words.slice(from, at).join(' '))]
  })
}

/** One run in the place of several. */
function together(runs: readonly Run[], text: string): Run {
  const least = (of: (run: Run) => number): number => runs.reduce((found, run) => Math.min(found, of(run)), Infinity)
  const [x, y] = [least((run) => run.x), least((run) => run.y)]
  const width = -least((run) => -run.x - run.width) - x
  const height = -least((run) => -run.y - run.height) - y
  const [first] = runs
  const common = { size: height, baseline: y + height * ASCENT, upright: false, filled: false }
  return { ...common, ...first, text, x, y, width, height, rightToLeft: RIGHT_TO_LEFT.test(text) }
}

function runOf(item: Record<string, unknown>, view: readonly number[]): Run[] {
  const { str, width, height, transform, dir } = item
  if (typeof str !== 'string' || str.trim() === '' || typeof width !== 'number' || !Array.isArray(transform)) return []
  const [a, b, c, d, e, f] = multiplied(view, transform.map(Number))
  const size = Math.hypot(c, d)
  if (!Number.isFinite(size + e + f) || size === 0) return []
  const upright = Math.abs(b) > Math.abs(a)
  const text = str.replaceAll('\u00ad', '').replace(VERTICAL_FORMS, (form) => form.normalize('NFKC'))
  const common = { text, size, rightToLeft: dir === 'rtl', upright: upright || dir === 'ttb', filled: false }
  // In vertical writing the origin is the middle of the first letter's top edge (ISO 32000-1, 9.7.4.3).
  if (dir === 'ttb') return [{ ...common, x: e - size / 2, y: f, width: size, height: Number(height), baseline: f }]
  if (!upright) return [{ ...common, x: e, y: f - size * ASCENT, width, height: size, baseline: f }]
  return [
    {
      ...common,
      x: b < 0 ? e - size * ASCENT : e - size * (1 - ASCENT),
      y: b < 0 ? f - width : f,
      width: size,
      height: width,
      baseline: f,
    },
  ]
}

function fieldOf(annotation: Record<string, unknown>, view: View): Run[] {
  const { subtype, fieldType, fieldValue, rect, hidden } = annotation
  if (subtype !== 'Widget' || fieldType === 'Btn' || hidden === true || !Array.isArray(rect)) return []
  const value: unknown = Array.isArray(fieldValue) ? fieldValue.join(', ') : fieldValue
  if (typeof value !== 'string' || value.trim() === '') return []
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = view.convertToViewportRectangle(rect.map(Number))
  const [x, y, width, height] = [Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)]
  const size = Math.min(height, 12)
  const run = { x, y, width, height, size, baseline: y + (height + size * ASCENT) / 2, rightToLeft: false, upright: false, filled: true }
  return [{ ...run, text: value.slice(0, MAX_FIELD) }]
}

/** Product of two matrices in PDF notation (ISO 32000-1, 8.3.3). */
function multiplied(
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[],
  by: readonly number[],
): [number, number, number, number, number, number] {
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = by
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

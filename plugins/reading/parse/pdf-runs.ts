import { isRecord } from '../../../core/sdk/record.js'

/** A piece of text that a PDF draws at one place. Points from the upper left corner of the page as it is seen. */
export interface Run {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Where the letters stand, and how large they are. */
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

/** Part of a letter's height that lies above the baseline, as most fonts have it. */
const ASCENT = 0.8
const MAX_FIELD = 10_000
/** Forms that punctuation has in vertical writing. */
const VERTICAL_FORMS = /[\ufe10-\ufe19\ufe30-\ufe48]/g

/** The runs of a page in the order in which they are drawn, then the values of its form fields; and the web addresses of its links. */
export function runsOf(
  content: { readonly items: readonly unknown[] },
  view: View,
  annotations: readonly unknown[],
): { runs: Run[]; links: string[] } {
  const runs = content.items.flatMap((item) => (isRecord(item) ? runOf(item, view.transform) : []))
  const links: string[] = []
  for (const annotation of annotations) {
    if (!isRecord(annotation)) continue
    if (typeof annotation['url'] === 'string') links.push(annotation['url'])
    runs.push(...fieldOf(annotation, view))
  }
  return { runs, links }
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
  // In vertical writing the point is the middle of the upper side of the first letter (ISO 32000-1, 9.7.4.3).
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

/** Product of two matrices as PDF writes them (ISO 32000-1, 8.3.3). */
function multiplied(
  [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[],
  by: readonly number[],
): [number, number, number, number, number, number] {
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = by
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

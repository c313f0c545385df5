import { cellReader } from './cells.js'
import { tableHtml } from './grid.js'
import { relationsOf } from './opc.js'
import { attributeOf, childOf, childrenOf, contentOf, descendantsOf, escaped, treeOf, xmlText, type Node } from './xml.js'
import type { Unpacked } from './zip.js'

/** A chart or a diagram as text: lines above, and tables of the values of a chart. */
export interface Figure {
  readonly lines: readonly string[]
  readonly tables: readonly (readonly (readonly string[])[])[]
}

const MAX_POINTS = 2_000
const MAX_SERIES = 100

/**
 * Figures of a package referenced by the elements `chart` and `relIds` of a part. Figures without values or text are
 * counted as left out.
 */
export class Figures {
  leftOut = 0
  readonly #files: Unpacked
  readonly #relations: ReturnType<typeof relationsOf>

  constructor(files: Unpacked, part: string) {
    this.#files = files
    this.#relations = relationsOf(files, part)
  }

  /** Null for an element without a figure, and for a figure without readable content. */
  of(node: Node): Figure | null {
    const id = node.name === 'chart' ? attributeOf(node, 'id') : node.name === 'relIds' ? attributeOf(node, 'dm') : undefined
    if (id === undefined) return null
    const bytes = this.#files.get(this.#relations.get(id)?.part ?? '')
    const root = bytes === undefined ? undefined : childrenOf(treeOf(xmlText(bytes)))[0]
    const figure = root?.name === 'chartSpace' ? chartOf(root) : { lines: diagramLines(root), tables: [] }
    if (figure.lines.length + figure.tables.length > 0) return figure
    this.leftOut += 1
    return null
  }
}

/** A note on the number of items that are missing in the text. */
export function leftOutNote(count: number, one: string, many: string): string[] {
  return count === 0 ? [] : [count === 1 ? `1 ${one} was left out.` : `${count} ${many} were left out.`]
}

/** A figure as HTML. */
export function figureHtml({ lines, tables }: Figure): string {
  return [...lines.map((line) => `<p>${escaped(line)}</p>`), ...tables.map(tableHtml)].join('')
}

interface Series {
  readonly name: string
  readonly categories: ReadonlyMap<number, string>
  readonly values: ReadonlyMap<number, string>
}

/** Title and cached values of a chart (ECMA-376, part 1, 21.2); series over the same categories are columns of one table. */
function chartOf(root: Node): Figure {
  const chart = childOf(root, 'chart')
  const title = textLines(childOf(chart, 'title')).join(' ')
  const date1904 = ['1', 'true'].includes(attributeOf(childOf(root, 'date1904'), 'val') ?? '')
  const groups = new Map<string, Series[]>()
  for (const node of descendantsOf(childOf(chart, 'plotArea'), 'ser').slice(0, MAX_SERIES)) {
    const categories = pointsOf(childOf(node, 'cat') ?? childOf(node, 'xVal'), date1904)
    const values = pointsOf(childOf(node, 'val') ?? childOf(node, 'yVal'), date1904)
    const series = { name: [...pointsOf(childOf(node, 'tx'), date1904).values()].join(' '), categories, values }
    if (values.size === 0) continue
    const key = JSON.stringify([...categories])
    groups.set(key, [...(groups.get(key) ?? []), series])
  }
  return { lines: title === '' ? [] : [title], tables: [...groups.values()].map(tableOf) }
}

function tableOf(series: readonly Series[]): string[][] {
  const places = [...new Set(series.flatMap(({ categories, values }) => [...categories.keys(), ...values.keys()]))].sort((a, b) => a - b)
  const [{ categories } = { categories: new Map<number, string>() }] = series
  const rows = places
    .slice(0, MAX_POINTS)
    .map((at) => [categories.get(at) ?? String(at + 1), ...series.map(({ values }) => values.get(at) ?? '')])
  return [['', ...series.map(({ name }) => name)], ...rows]
}

/** Cached points by index; those of several levels are joined. */
function pointsOf(node: Node | undefined, date1904: boolean): Map<number, string> {
  const text = cellReader({ date1904, shownTimes: false })
  const points = new Map<number, string>()
  const caches = ['numCache', 'numLit', 'strCache', 'strLit', 'lvl'].flatMap((name) => descendantsOf(node, name)).reverse()
  for (const cache of caches) {
    const format = contentOf(childOf(cache, 'formatCode'))
    const isNumber = cache.name.startsWith('num')
    for (const point of childrenOf(cache).filter(({ name }) => name === 'pt')) {
      const [at, value] = [Number(attributeOf(point, 'idx')), contentOf(childOf(point, 'v')).trim()]
      const number = Number(value)
      const shown = isNumber && value !== '' && Number.isFinite(number) ? text({ t: 'n', v: number, z: format }) : value
      const before = points.get(at)
      points.set(at, before === undefined ? shown : `${before} ${shown}`)
    }
  }
  if (points.size === 0 && node !== undefined) {
    const own = contentOf(childOf(node, 'v')).trim()
    if (own !== '') points.set(0, own)
  }
  return points
}

/** Paragraphs of a SmartArt diagram (ECMA-376, part 1, 21.4) in data order. */
function diagramLines(root: Node | undefined): string[] {
  return descendantsOf(root, 'pt').flatMap((point) => textLines(childOf(point, 't')))
}

/** Paragraphs of DrawingML, or cached strings when there are none. */
function textLines(node: Node | undefined): string[] {
  const paragraphs = descendantsOf(node, 'p').map((paragraph) => descendantsOf(paragraph, 't').map(contentOf).join(''))
  const lines = paragraphs.length > 0 ? paragraphs : descendantsOf(node, 'v').map(contentOf)
  return lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '')
}

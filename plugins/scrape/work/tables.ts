import { cleanHtml } from './clean-html.js'
import { isElement, type DomDocument, type DomElement, type DomNode } from './dom.js'
import { gridOf } from './grid.js'

const MAX_CELLS = 50_000
const MAX_COLUMNS = 200
/** Maximum positions covered by the cells of one table. */
const MAX_PLACES = 500_000

/** A grid cell as Markdown on one line, or nothing for a covered position. */
type Cell = string

/**
 * Replaces each table by Markdown, innermost first. A layout table is replaced by its content; a nested table becomes
 * lines of its cell; a table with merged cells, which Markdown does not support, becomes HTML, including its content.
 * `render` converts a cell's content to Markdown.
 */
export function replaceTables(document: DomDocument, root: DomElement, render: (cell: DomElement) => string): void {
  const tables = [...root.querySelectorAll('table')].reverse()
  const layouts = new Set(tables.filter((table) => isLayout(table, rowsOf(table))))
  const data = new Set(tables.filter((table) => !layouts.has(table)))
  const merged = new Set([...data].filter((table) => isMerged(rowsOf(table))))
  let cells = 0
  for (const table of tables) {
    const rows = rowsOf(table)
    cells += rows.reduce((sum, row) => sum + row.length, 0)
    if (layouts.has(table) || cells > MAX_CELLS) unfold(document, table, rows)
    else if (inside(table, merged)) continue
    else if (inside(table, data)) flatten(document, table, rows, render)
    else if (merged.has(table)) table.replaceWith(raw(document, htmlOf(table, rows), 'table-text'))
    else write(document, table, rows, render)
  }
}

function rowsOf(table: DomElement): DomElement[][] {
  const rows: DomElement[][] = []
  for (const part of table.children) {
    if (part.nodeName === 'TR') rows.push(cellsOf(part))
    else if (/^(?:THEAD|TBODY|TFOOT)$/.test(part.nodeName))
      for (const row of part.children) if (row.nodeName === 'TR') rows.push(cellsOf(row))
  }
  return rows.filter((row) => row.length > 0)
}

function cellsOf(row: DomElement): DomElement[] {
  return [...row.children].filter((cell) => cell.nodeName === 'TD' || cell.nodeName === 'TH')
}

/** One row or one column without headings, or cells with whole page parts: a layout table. */
function isLayout(table: DomElement, rows: readonly DomElement[][]): boolean {
  if (rows.length === 0) return true
  if (table.getAttribute('role') === 'presentation') return true
  if (rows.some((row) => row.some((cell) => cell.nodeName === 'TH'))) return false
  if (rows.every((row) => row.length === 1) || rows.length === 1) return true
  const heavy = rows.flat().filter((cell) => cell.querySelector(HEAVY) !== null || (cell.textContent ?? '').length > 600)
  return heavy.length > 0
}

/** Elements of cells that hold page parts rather than values. */
const HEAVY = 'table,h1,h2,h3,h4,h5,h6,article,section,hr,form'

/** True for a table nested in one of these. */
function inside(table: DomElement, tables: ReadonlySet<DomElement>): boolean {
  for (let node = table.parentNode; node !== null; node = node.parentNode) if (node.nodeName === 'TABLE' && tables.has(node)) return true
  return false
}

/** Whether any cell spans several positions. */
function isMerged(rows: readonly DomElement[][]): boolean {
  return rows.some((row, at) =>
    row.some((cell) => (span(cell, 'rowspan') > 1 && at < rows.length - 1) || (span(cell, 'colspan') > 1 && rows.length > 1)),
  )
}

/** A table as HTML, one line per row. */
function htmlOf(table: DomElement, rows: readonly DomElement[][]): string {
  const caption = [...table.children].find((child) => child.nodeName === 'CAPTION')
  const lines = rows.map((row) => `<tr>${row.map(htmlCell).join('')}</tr>`)
  if (caption !== undefined) lines.unshift(`<caption>${inLine(cleanHtml(caption))}</caption>`)
  return `<table>\n${lines.join('\n')}\n</table>`
}

function htmlCell(cell: DomElement): string {
  const name = cell.nodeName.toLowerCase()
  const spans = ['colspan', 'rowspan']
    .filter((attribute) => span(cell, attribute) > 1)
    .map((attribute) => ` ${attribute}="${span(cell, attribute)}"`)
  return `<${name}${spans.join('')}>${inLine(cleanHtml(cell))}</${name}>`
}

/** Markup on one line: a blank line would end it in Markdown. Line breaks in code become character references. */
function inLine(html: string): string {
  return html
    .split(/(<pre[\s>][^]*?<\/pre>)/)
    .map((part, at) => (at % 2 === 0 ? part.replace(/[ \t\r\n\f]+/g, ' ') : part.replace(/\r?\n/g, '&#10;')))
    .join('')
    .trim()
}

function unfold(document: DomDocument, table: DomElement, rows: readonly DomElement[][]): void {
  const box = document.createElement('div')
  const caption = [...table.children].find((child) => child.nodeName === 'CAPTION')
  if (caption !== undefined) box.append(moved(document, caption, 'p'))
  for (const cell of rows.flat()) box.append(moved(document, cell, 'div'))
  table.replaceWith(box)
}

function moved(document: DomDocument, from: DomElement, name: string): DomElement {
  const to = document.createElement(name)
  to.append(...[...from.childNodes])
  return to
}

function flatten(document: DomDocument, table: DomElement, rows: readonly DomElement[][], render: (cell: DomElement) => string): void {
  const lines = rows.map((row) =>
    row
      .map((cell) => oneLine(cell, render))
      .filter((text) => text !== '')
      .join(' '),
  )
  table.replaceWith(raw(document, lines.join('<br>'), 'table-lines'))
}

function write(document: DomDocument, table: DomElement, rows: readonly DomElement[][], render: (cell: DomElement) => string): void {
  const grid = layOut(rows, render)
  const width = Math.max(...grid.map((row) => row.length))
  const first = rows[0] ?? []
  const headed = first.every((cell) => cell.nodeName === 'TH') || first[0]?.parentNode?.parentNode?.nodeName === 'THEAD'
  const head = headed ? (grid[0] ?? []) : []
  const line = (cells: readonly Cell[]): string => `| ${Array.from({ length: width }, (_, column) => cells[column] ?? '').join(' | ')} |`
  const rule = `| ${Array.from({ length: width }, (_, column) => MARKS[alignment(rows, column)] ?? '---').join(' | ')} |`
  const caption = [...table.children].find((child) => child.nodeName === 'CAPTION')
  const title = caption === undefined ? '' : oneLine(caption, render)
  const text = [line(head), rule, ...(headed ? grid.slice(1) : grid).map(line)].join('\n')
  table.replaceWith(raw(document, (title === '' ? '' : `${title}\n\n`) + text, 'table-text'))
}

const MARKS: Readonly<Record<string, string>> = { left: ':---', right: '---:', center: ':---:' }

/** Alignment shared by the first cells of a column. */
function alignment(rows: readonly DomElement[][], column: number): string {
  const marks = rows.slice(0, 3).map((row) => row[column]?.getAttribute('data-align') ?? '')
  return marks.find((mark) => mark !== '') ?? ''
}

/** Cells in their columns; positions covered by a spanning cell stay empty. */
function layOut(rows: readonly DomElement[][], render: (cell: DomElement) => string): Cell[][] {
  const cells = rows.map((row) =>
    row.map((cell) => ({ value: oneLine(cell, render), across: span(cell, 'colspan'), down: span(cell, 'rowspan') })),
  )
  return gridOf(cells, { columns: MAX_COLUMNS, places: MAX_PLACES, covered: 'blank' })
}

function span(cell: DomElement, name: string): number {
  const value = Number(cell.getAttribute(name) ?? '1')
  return Number.isInteger(value) && value > 0 ? Math.min(value, 100) : 1
}

/** A cell's content on one line: line breaks as `<br>`, bars escaped. */
function oneLine(cell: DomElement, render: (cell: DomElement) => string): string {
  const simple = ![...cell.childNodes].some((node: DomNode) => isElement(node))
  const text = simple
    ? (cell.textContent ?? '')
        .replace(/[ \t\r\n\f]+/g, ' ')
        .trim()
        .replace(/([\\`*_[\]<])/g, '\\$1')
    : render(cell)
  return text
    .trim()
    .replace(/ *\n+ */g, '<br>')
    .replace(/(?<!\\)\|/g, '\\|')
}

/** A node whose text is inserted into the Markdown unchanged. */
function raw(document: DomDocument, text: string, name: string): DomElement {
  const node = document.createElement('pre')
  node.setAttribute('class', name)
  node.append(text)
  return node
}

/** A table of a page, its cells as plain text. */
export interface Table {
  /** The heading or caption above it; empty without one. */
  readonly heading: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const MOST_TABLES = 20
const MOST_ROWS = 200
const MOST_COLUMNS = 12
const LONGEST_CELL = 80
const DIVIDER = /^:?-+:?$/

/** The tables of a page's Markdown (pipe tables), at most 20 of 200 rows and 12 columns, in linear time. */
export function tablesOf(markdown: string): Table[] {
  const found: Table[] = []
  const lines = markdown.split('\n')
  let heading = ''
  let fenced = false
  for (let at = 0; at < lines.length && found.length < MOST_TABLES; at++) {
    const line = lines[at]?.trim() ?? ''
    if (line.startsWith('```') || line.startsWith('~~~')) fenced = !fenced
    // A comment in code looks like a heading.
    if (fenced) continue
    if (/^#{1,6} /.test(line)) heading = plainCell(line.replace(/^#+ /, ''))
    if (!line.startsWith('|') || !isDivider(lines[at + 1])) continue
    const header = cellsOf(line)
    const rows: string[][] = []
    let next = at + 2
    for (; lines[next]?.trim().startsWith('|') === true; next++) if (rows.length < MOST_ROWS) rows.push(cellsOf(lines[next] ?? ''))
    if (rows.length > 0) found.push({ heading, header, rows })
    at = next - 1
  }
  return found
}

function isDivider(line: string | undefined): boolean {
  const cells = splitRow(line ?? '')
  return (line ?? '').trim().startsWith('|') && cells.length > 1 && cells.every((cell) => DIVIDER.test(cell.trim()))
}

function cellsOf(line: string): string[] {
  return splitRow(line).map(plainCell)
}

/** The cells of a row; an escaped bar belongs to its cell. */
function splitRow(line: string): string[] {
  const bare = line.trim().replace(/^\|/, '')
  const cells = bare.replaceAll('\\|', '\u0000').split('|')
  if (cells.at(-1)?.trim() === '') cells.pop()
  return cells.slice(0, MOST_COLUMNS).map((cell) => cell.replaceAll('\u0000', '|'))
}

/** Text of a cell: link texts without markup, footnotes and anything that could be opened as an address. */
function plainCell(cell: string): string {
  return cell
    .slice(0, 400)
    .replace(/!?\[([^[\]]{0,200})\]\([^()]{0,300}\)/g, '$1')
    .replace(/\[[^[\]]{0,12}\]/g, '')
    .replace(/<[^<>]{0,200}>/g, ' ')
    .replace(/[*_`~\\]/g, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !isAddress(word))
    .join(' ')
    .slice(0, LONGEST_CELL)
}

function isAddress(word: string): boolean {
  return word.includes('//') || word.includes('@') || /[\p{L}\p{N}-]\.\p{L}{2,}/u.test(word) || /^[a-z]{3,10}:\S/i.test(word)
}

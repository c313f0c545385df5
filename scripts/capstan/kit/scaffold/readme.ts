/** A vendor to name in the README of a plugin. */
interface NamedVendor {
  readonly port: string
  /** Vendors that already serve the port. */
  readonly others: readonly string[]
  readonly vendor: string
  /** The variable of its key; null where another page names what it needs. */
  readonly needs: string | null
}

const HEADING = /^(#+) /
const ROW = /^(?:\||- |\* )/

/**
 * Inserts the vendor with those of its port: below the port's heading, else after the list or table that names one of them, else at
 * the end. It is a row of a table whose first column is `vendor`, else an item of a list.
 */
export function withVendor(text: string, { port, others, vendor, needs }: NamedVendor): string {
  const lines = text.replace(/\n+$/, '').split('\n')
  const at = underHeading(lines, port) ?? afterOther(lines, others) ?? lines.length
  const row = rowOf(lines, at, { port, vendor, needs })
  const line = row ?? `- \`${vendor}\`${needs === null ? '' : `: set \`${needs}\``}.`
  const joins = row !== null || /^[-*] /.test(lines[at - 1] ?? '')
  const after = lines.slice(at)
  const gap = after.length === 0 || after[0] === '' ? [] : ['']
  return `${[...lines.slice(0, at), ...(joins ? [] : ['']), line, ...gap, ...after].join('\n')}\n`
}

/** The row of a vendor for the table that ends before a line, or null where there is no table of vendors. */
function rowOf(lines: readonly string[], end: number, { port, vendor, needs }: Omit<NamedVendor, 'others'>): string | null {
  const above = lines.findLastIndex((text, index) => index < end && !text.startsWith('|'))
  const head = above + 1
  const columns = head < end ? cellsOf(lines[head] ?? '') : []
  if (columns[0] !== 'vendor') return null
  const cells = columns.map((column) => {
    if (column === 'vendor') return vendor
    if (/^ports?$/.test(column)) return `\`${port}\``
    return /needs$/.test(column) && needs !== null ? `\`${needs}\`` : ''
  })
  return `| ${cells.join(' | ')} |`
}

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function underHeading(lines: readonly string[], port: string): number | null {
  const heading = lines.findIndex((text) => HEADING.test(text) && text.split(/[^\w.-]+/).includes(port))
  if (heading === -1) return null
  const level = HEADING.exec(lines[heading] ?? '')?.[1]?.length ?? 1
  const next = lines.findIndex((text, index) => index > heading && (HEADING.exec(text)?.[1]?.length ?? Infinity) <= level)
  const end = next === -1 ? lines.length : next
  const row = lines.findIndex((text, index) => index > heading && index < end && ROW.test(text))
  return row === -1 ? lastText(lines, heading, end) : endOfRows(lines, row)
}

function afterOther(lines: readonly string[], others: readonly string[]): number | null {
  const row = lines.findIndex((text) => ROW.test(text) && others.some((id) => text.split(/[^\w-]+/).includes(id)))
  return row === -1 ? null : endOfRows(lines, row)
}

function endOfRows(lines: readonly string[], from: number): number {
  const end = lines.findIndex((text, index) => index > from && !ROW.test(text))
  return end === -1 ? lines.length : end
}

function lastText(lines: readonly string[], heading: number, end: number): number {
  let at = end
  while (at > heading + 1 && lines[at - 1] === '') at--
  return at
}

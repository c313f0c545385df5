/** A vendor to name in the README of a plugin. */
interface NamedVendor {
  readonly port: string
  /** Vendors that already serve the port. */
  readonly others: readonly string[]
  /** A line of a list. */
  readonly line: string
}

const HEADING = /^(#+) /
const ROW = /^(?:\||- |\* )/

/** Inserts the line with the port's vendors: below its heading, else after the list or table that names one of them, else at the end. */
export function withVendor(text: string, { port, others, line }: NamedVendor): string {
  const lines = text.replace(/\n+$/, '').split('\n')
  const at = underHeading(lines, port) ?? afterOther(lines, others) ?? lines.length
  const isList = /^[-*] /.test(lines[at - 1] ?? '')
  const after = lines.slice(at)
  const gap = after.length === 0 || after[0] === '' ? [] : ['']
  return `${[...lines.slice(0, at), ...(isList ? [] : ['']), line, ...gap, ...after].join('\n')}\n`
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

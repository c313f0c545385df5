import { isPlainNumber, rowsOf, separatorOf } from '../../../../office/contract.js'

/** Records joined at once. */
const BATCH = 500
/** Characters at the start from which the separator is detected. */
const SAMPLE = 65_536

/**
 * Converts a table with a header line to a JSON list of records, one per line. A cell is a number only if it
 * round-trips to the same characters; anything else is a string, an empty cell an empty string.
 */
export function recordsOf(text: string, separator: string | null): { readonly notes: string[]; readonly data: Buffer } {
  const rows = rowsOf(text, separator ?? separatorOf(text.slice(0, SAMPLE)))
  const { names, renamed } = named(firstOf(rows))
  const keys = names.map((name) => JSON.stringify(name))
  const parts: Buffer[] = [Buffer.from('[')]
  let batch: string[] = []
  let [count, odd] = [0, 0]
  const end = (): void => {
    parts.push(Buffer.from(batch.join('')))
    batch = []
  }
  for (const cells of rows) {
    if (isBlank(cells)) continue
    if (cells.length !== names.length) odd++
    for (let at = keys.length; at < cells.length; at++) keys.push(JSON.stringify(unused(`column_${at + 1}`, names)))
    const values = keys.slice(0, Math.max(names.length, cells.length)).map((key, at) => `${key}:${valueOf(cells[at] ?? '')}`)
    batch.push(`${count === 0 ? '' : ','}\n{${values.join(',')}}`)
    count++
    if (batch.length >= BATCH) end()
  }
  end()
  parts.push(Buffer.from('\n]\n'))
  const notes = [
    'The first line of the table gave the names of the fields.',
    ...(renamed.length === 0
      ? []
      : [`Columns without a name, or with one that another has, were named ${renamed.slice(0, 10).join(', ')}.`]),
    ...(odd === 0 ? [] : [`${odd} of ${count} lines have more or fewer cells than there are names: cells that are missing are empty.`]),
  ]
  return { notes, data: Buffer.concat(parts) }
}

/** The first non-empty line. */
function firstOf(rows: Generator<string[]>): string[] {
  for (let next = rows.next(); next.done !== true; next = rows.next()) if (!isBlank(next.value)) return next.value
  return []
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '')
}

/** A unique name for each column. */
function named(header: readonly string[]): { readonly names: string[]; readonly renamed: string[] } {
  const given = new Set(header)
  const names: string[] = []
  const taken = new Set<string>()
  const renamed: string[] = []
  const last = new Map<string, number>()
  for (const [at, name] of header.entries()) {
    const wanted = name.trim() === '' ? `column_${at + 1}` : name
    let own = wanted
    for (let number = last.get(wanted) ?? 2; taken.has(own) || (own !== name && given.has(own)); number++) {
      own = `${wanted}_${number}`
      last.set(wanted, number + 1)
    }
    taken.add(own)
    names.push(own)
    if (own !== name) renamed.push(own)
  }
  return { names, renamed }
}

function unused(name: string, names: readonly string[]): string {
  return names.includes(name) ? unused(`${name}_`, names) : name
}

function valueOf(cell: string): string {
  return isPlainNumber(cell) ? cell : JSON.stringify(cell)
}

/** A table with its header, if any. */
export interface TableRows {
  readonly header: readonly string[] | null
  readonly rows: readonly (readonly string[])[]
}

/** Each row as a record by the names of the header; without one the first row is the header. */
export function rowRecords({ header, rows }: TableRows): Record<string, unknown>[] {
  const names = header ?? rows[0] ?? []
  const body = header === null ? rows.slice(1) : rows
  return body.map((row) => Object.fromEntries(names.flatMap((name, at) => (name === '' ? [] : [[name, row[at] ?? ''] as const]))))
}

/** A two-column table as one record of labels and values; null for any other. */
export function labelRecord({ header, rows }: TableRows): Record<string, unknown> | null {
  const all = header === null ? rows : [header, ...rows]
  if (all.length === 0 || !all.every((row) => row.length === 2)) return null
  return Object.fromEntries(all.map(([label = '', value = '']) => [label.replace(/:\s*$/, ''), value]))
}

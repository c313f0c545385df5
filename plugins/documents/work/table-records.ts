/** A table with its header, where it has one. */
export interface TableRows {
  readonly header: readonly string[] | null
  readonly rows: readonly (readonly string[])[]
}

/** Each row as a record by the names of the header; the first row is taken for one where there is none. */
export function rowRecords({ header, rows }: TableRows): Record<string, unknown>[] {
  const names = header ?? rows[0] ?? []
  const body = header === null ? rows.slice(1) : rows
  return body.map((row) => Object.fromEntries(names.flatMap((name, at) => (name === '' ? [] : [[name, row[at] ?? ''] as const]))))
}

/** A table of two columns as one record, of labels and what they stand for; null for another. */
export function labelRecord({ header, rows }: TableRows): Record<string, unknown> | null {
  const all = header === null ? rows : [header, ...rows]
  if (all.length === 0 || !all.every((row) => row.length === 2)) return null
  return Object.fromEntries(all.map(([label = '', value = '']) => [label.replace(/:\s*$/, ''), value]))
}

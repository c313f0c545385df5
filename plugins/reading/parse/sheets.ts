import { CFB, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { isRecord } from '../../../core/sdk/record.js'
import { Grids, gridHtml, gridMarkdown, MAX_COLUMNS, MAX_ROWS } from './grid.js'
import { packageProperties } from './opc.js'
import { answer, encrypted, type Read, type ReadArgs } from './read.js'
import type { Unpacked } from './zip.js'

const MAX_SHEETS = 100

/** Reads a spreadsheet: each sheet as a table of the values as they are shown; dates in ISO 8601. */
export function readSheets(format: 'xlsx' | 'xls' | 'ods', bytes: Uint8Array, files: Unpacked, args: ReadArgs): Read {
  const book = opened(bytes)
  const grids = new Grids()
  for (const name of book.SheetNames.slice(0, MAX_SHEETS)) {
    const sheet = book.Sheets[name]
    if (sheet !== undefined) grids.add(name, rowsOf(sheet))
  }
  const { pages: _, ...properties } = packageProperties(files)
  return answer(format, {
    ...properties,
    pages: book.SheetNames.length,
    text: grids.all.map(gridMarkdown).join('\n\n').trim(),
    html: args.html ? grids.all.map(gridHtml).join('\n') : null,
    tables: args.tables ? grids.all.map(({ name, rows }) => ({ name, rows })) : [],
    truncated: grids.cut || book.SheetNames.length > MAX_SHEETS,
    notes: [
      ...grids.notes,
      ...(book.SheetNames.length > MAX_SHEETS ? [`Of ${book.SheetNames.length} sheets ${MAX_SHEETS} were read.`] : []),
    ],
  })
}

/** Names of the streams in a compound file (MS-CFB). */
export function compoundFiles(bytes: Uint8Array): ReadonlySet<string> {
  const library: unknown = CFB
  const readFile = isRecord(library) ? library['read'] : undefined
  const found: unknown = typeof readFile === 'function' ? Reflect.apply(readFile, library, [Buffer.from(bytes), { type: 'buffer' }]) : null
  const streams: unknown = isRecord(found) ? found['FileIndex'] : null
  if (!Array.isArray(streams)) throw new Error('no directory')
  return new Set(streams.flatMap((stream: unknown) => (isRecord(stream) && typeof stream['name'] === 'string' ? [stream['name']] : [])))
}

function opened(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      nodim: true,
      sheetRows: MAX_ROWS + 1,
      cellDates: true,
      cellFormula: false,
      cellHTML: false,
    })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw encrypted()
    throw error
  }
}

function* rowsOf(sheet: WorkSheet): Generator<string[]> {
  const data: unknown = sheet['!data']
  if (!Array.isArray(data)) return
  const rows: readonly unknown[] = data
  for (let at = 0; at < rows.length; at += 1) {
    const cells: unknown = rows[at]
    yield Array.isArray(cells) ? Array.from(cells.slice(0, MAX_COLUMNS + 1), cellText) : []
  }
}

/** A cell as it is shown. */
function cellText(cell: unknown): string {
  if (!isRecord(cell)) return ''
  const { t: type, v: value, w: formatted } = cell
  if (value instanceof Date) return isoCell(value)
  if (type === 'b') return value === true ? 'TRUE' : 'FALSE'
  if (typeof formatted === 'string') return formatted
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The library gives what the sheet says as if it were UTC. */
function isoCell(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19)
}

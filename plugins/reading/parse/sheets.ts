import { CFB, read, type WorkBook, type WorkSheet } from '@e965/xlsx'
import { isRecord } from '../../../core/sdk/json.js'
import { cellReader } from './cells.js'
import { Grids, gridHtml, gridMarkdown, MAX_COLUMNS, MAX_ROWS } from './grid.js'
import { packageProperties } from './opc.js'
import { answer, encrypted, type Read, type ReadArgs } from './read.js'
import { uncachedNotes, uncachedOf, type Uncached } from './uncached.js'
import type { Unpacked } from './zip.js'

const MAX_SHEETS = 100

/** Reads a spreadsheet: each sheet as a table of displayed values; dates in ISO 8601, numbers in all their digits. */
export function readSheets(format: 'xlsx' | 'xls' | 'ods', bytes: Uint8Array, files: Unpacked, args: ReadArgs): Read {
  const book = opened(bytes)
  const grids = new Grids()
  const cellText = cellReader({ date1904: book.Workbook?.WBProps?.date1904 === true, shownTimes: format === 'ods' })
  const uncached = uncachedOf(format, files)
  for (const [at, name] of book.SheetNames.slice(0, MAX_SHEETS).entries()) {
    const sheet = book.Sheets[name]
    if (sheet !== undefined) grids.add(name, rowsOf(sheet, cellText, uncached[at] ?? new Map()))
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
      ...uncachedNotes(uncached.slice(0, MAX_SHEETS)),
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
      cellNF: true,
      cellFormula: false,
      cellHTML: false,
    })
  } catch (error) {
    if (error instanceof Error && /password|encrypt/i.test(error.message)) throw encrypted()
    throw error
  }
}

function* rowsOf(sheet: WorkSheet, cellText: (cell: unknown) => string, formulas: Uncached): Generator<string[]> {
  const data: unknown = sheet['!data']
  const rows: readonly unknown[] = Array.isArray(data) ? data : []
  const last = [...formulas.keys()].reduce((most, row) => Math.max(most, row + 1), rows.length)
  for (let at = 0; at < Math.min(last, MAX_ROWS + 1); at += 1) {
    const cells: unknown = rows[at]
    const texts = Array.isArray(cells) ? Array.from(cells.slice(0, MAX_COLUMNS + 1), cellText) : []
    for (const [column, formula] of formulas.get(at) ?? []) {
      if (column > MAX_COLUMNS) continue
      while (texts.length <= column) texts.push('')
      texts[column] = formula === '' ? '' : `=${formula}`
    }
    yield texts
  }
}

import { utils } from '@e965/xlsx'
import { MAX_CELLS } from './grid.js'
import { relationsOf } from './opc.js'
import { elementsOf, readXml } from './xml.js'
import type { Unpacked } from './zip.js'

/** Formulas of a sheet without a cached value, by row and column from 0; empty text when the file repeats another cell's formula. */
export type Uncached = ReadonlyMap<number, ReadonlyMap<number, string>>

const WORKBOOK = 'xl/workbook.xml'

/**
 * Formulas of each sheet without a cached value, as written by programs that do not calculate. Legacy and binary
 * workbooks always cache values.
 */
export function uncachedOf(format: 'xlsx' | 'xls' | 'ods', files: Unpacked): readonly Uncached[] {
  if (format === 'ods') return ofOpenDocument(files.get('content.xml'))
  const relations = relationsOf(files, WORKBOOK)
  return elementsOf(files.get(WORKBOOK))
    .filter(({ name }) => name === 'sheet')
    .map(({ attributes }) => ofWorksheet(files.get(relations.get(attributes['r:id'] ?? '')?.part ?? '')))
}

/** A note if there are any. */
export function uncachedNotes(sheets: readonly Uncached[]): string[] {
  const count = sheets.flatMap((sheet) => [...sheet.values()]).reduce((sum, row) => sum + row.size, 0)
  if (count === 0) return []
  return [`${count === 1 ? '1 formula has' : `${count} formulas have`} no stored value: the formula is given in place of its result.`]
}

function ofWorksheet(bytes: Buffer | undefined): Uncached {
  const found = new Found()
  let [place, formula, value, inside] = ['', '', '', '']
  let isFormula = false
  if (bytes !== undefined)
    readXml(bytes, {
      open: (name, { r = '', t = '' }) => {
        inside = name
        if (name === 'c') [place, formula, isFormula, value] = [r, '', false, t === 'str' ? t : '']
        else if (name === 'f') isFormula = true
      },
      text: (text) => {
        if (inside === 'f') formula += text
        else if (inside === 'v' || inside === 't') value += text
      },
      close: (name) => {
        inside = ''
        if (name !== 'c' || !isFormula || value.trim() !== '') return
        const { r: row, c: column } = utils.decode_cell(place)
        found.add(row, column, formula.trim())
      },
    })
  return found.rows
}

function ofOpenDocument(bytes: Buffer | undefined): Uncached[] {
  const sheets: Found[] = []
  let [row, column, next] = [0, 0, 0]
  if (bytes !== undefined)
    readXml(bytes, {
      open: (name, attributes) => {
        const repeated = (what: string): number => Number(attributes[`table:number-${what}-repeated`]) || 1
        if (name === 'table') {
          sheets.push(new Found())
          next = 0
        } else if (name === 'table-row') {
          row = next
          column = 0
          next += repeated('rows')
        } else if (name === 'table-cell' || name === 'covered-table-cell') {
          const formula = attributes['table:formula']
          if (formula !== undefined && attributes['office:value-type'] === undefined)
            sheets.at(-1)?.add(row, column, formula.replace(/^[a-z]{0,10}:?=/, ''))
          column += repeated('columns')
        }
      },
    })
  return sheets.map(({ rows }) => rows)
}

class Found {
  readonly rows = new Map<number, Map<number, string>>()
  #count = 0

  add(row: number, column: number, formula: string): void {
    if (this.#count >= MAX_CELLS) return
    this.#count += 1
    const columns = this.rows.get(row) ?? new Map<number, string>()
    columns.set(column, formula)
    this.rows.set(row, columns)
  }
}

import type { Table } from './tables.js'

export interface Series {
  readonly name: string
  /** One value per label; null for an empty cell. */
  readonly values: readonly (number | null)[]
}

/** Data of a chart: one or more series over the same labels, in one unit. */
export interface Figures {
  readonly labels: readonly string[]
  /** The labels are years or days in order, forming a time axis. */
  readonly overTime: boolean
  /** Such as `%`, `EUR`, `km`; empty when the table has none. */
  readonly unit: string
  readonly series: readonly Series[]
}

interface Amount {
  readonly value: number
  readonly unit: string
}

interface Column {
  readonly name: string
  readonly amounts: readonly (Amount | null)[]
  readonly unit: string
}

const FEWEST = 3
const MOST_LABELS = 40
const MOST_SERIES = 4
/** Minimum share of numeric cells in a column. */
const NUMERIC = 0.7
const SCALES = new Map([...entries('k thousand', 1e3), ...entries('m million millions mn', 1e6), ...entries('b bn billion billions', 1e9)])
const CURRENCIES = new Map(Object.entries({ $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' }))
const NUMBER = /^([$€£¥]?)\s?([-−–+]?)\s?(\d{1,3}(?:[, \u00a0\u202f]\d{3})+|\d{1,15})(\.\d{1,6})?\s?([^\d]{0,14})$/
const YEAR = /^(?:1[5-9]|20)\d\d$/
const DAY = /^(?:1[5-9]|20)\d\d-\d\d(?:-\d\d)?$/

/** The figures of a table that can be drawn; null without a column of at least three figures beside a label column. */
export function figuresOf(table: Table): Figures | null {
  return overColumns(transposed(table) ?? table)
}

/** Transposes a table whose columns are years. */
function transposed({ heading, header, rows }: Table): Table | null {
  const years = header.slice(1)
  if (years.length < FEWEST || !years.every((cell) => YEAR.test(cell))) return null
  return {
    heading,
    header: [header[0] ?? '', ...rows.map((row) => row[0] ?? '')],
    rows: years.map((year, at) => [year, ...rows.map((row) => row[at + 1] ?? '')]),
  }
}

function overColumns({ header, rows }: Table): Figures | null {
  const cells = header.map((_, column) => rows.map((row) => row[column] ?? ''))
  const labelled = cells.findIndex((column) => isTime(column) || !isNumeric(column))
  const labels = cells[labelled]
  if (labels === undefined) return null
  const columns = header.flatMap((name, at) => (at === labelled ? [] : (columnOf(name, cells[at] ?? []) ?? [])))
  const [first] = columns
  if (first === undefined) return null
  const together = columns.filter(({ unit }) => unit === first.unit).slice(0, MOST_SERIES)
  const kept = rows.flatMap((_, row) => (labels[row] !== '' && together.some(({ amounts }) => amounts[row] != null) ? [row] : []))
  const overTime = isTime(kept.map((row) => labels[row] ?? ''))
  const order = overTime ? [...kept].sort((one, other) => ((labels[one] ?? '') < (labels[other] ?? '') ? -1 : 1)) : kept
  const shown = order.slice(overTime ? -MOST_LABELS : 0, overTime ? undefined : MOST_LABELS)
  if (shown.length < FEWEST) return null
  return {
    labels: shown.map((row) => labels[row] ?? ''),
    overTime,
    unit: first.unit,
    series: together.map(({ name, amounts }) => ({ name, values: shown.map((row) => amounts[row]?.value ?? null) })),
  }
}

function columnOf(header: string, cells: readonly string[]): Column | null {
  if (!isNumeric(cells) || /^(?:#|no\.?|nr\.?|rank|position|id|year|jahr)$/i.test(header)) return null
  const amounts = cells.map(amountOf)
  const units = new Set(amounts.flatMap((amount) => (amount === null || amount.unit === '' ? [] : [amount.unit])))
  if (units.size > 1) return null
  const [unit = unitOf(header)] = units
  const name = unit === unitOf(header) && unit !== '' ? header.slice(0, header.search(/[([][^()[\]]*[)\]]$/)).trim() : header
  return { name: name === '' ? 'Value' : name, amounts, unit }
}

/** A unit in brackets after a column name, such as `Length (km)`. */
function unitOf(header: string): string {
  return /[([]([^()[\]\d]{1,12})[)\]]$/.exec(header)?.[1]?.trim() ?? ''
}

function isNumeric(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '')
  const amounts = filled.filter((cell) => amountOf(cell) !== null)
  return amounts.length >= FEWEST && amounts.length >= NUMERIC * filled.length
}

function isTime(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell !== '')
  return (
    filled.length >= FEWEST &&
    new Set(filled).size === filled.length &&
    (filled.every((cell) => YEAR.test(cell)) || filled.every((cell) => DAY.test(cell)))
  )
}

/** The figure of a cell and its unit; null for anything but a single figure. */
function amountOf(cell: string): Amount | null {
  const [, sign = '', minus = '', whole = '', fraction = '', rest = ''] = NUMBER.exec(cell.trim()) ?? []
  if (whole === '') return null
  const words = rest.trim().split(/\s+/)
  const scale = SCALES.get((words[0] ?? '').toLowerCase())
  // A lone m is metres, unless a currency precedes the figure.
  const scaled = scale !== undefined && (sign !== '' || (words[0] ?? '').length > 1)
  const unit = (CURRENCIES.get(sign) ?? '') || (scaled ? words.slice(1) : words).join(' ')
  const value = Number(`${whole.replace(/[^\d]/g, '')}${fraction}`) * (scaled ? scale : 1)
  return { value: minus === '' || minus === '+' ? value : -value, unit: CURRENCIES.get(unit) ?? unit }
}

function entries(words: string, scale: number): [string, number][] {
  return words.split(' ').map((word) => [word, scale])
}

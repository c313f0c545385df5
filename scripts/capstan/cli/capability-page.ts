import { isRecord } from '../../../core/sdk/json.js'
import { typeWords } from '../../../core/problems/schema-faults/words.js'
import type { ListedCapability } from './catalogue.js'
import { colors } from './colors.js'
import { named } from './columns.js'
import { wrapped } from './display-width.js'
import { exampleCall } from './example.js'
import { printable } from './printable.js'
import type { Fields } from './record.js'

/** Columns of a page where no terminal says them. */
const USUAL = 100
/** The sentence about the price at the end of a description, which the page has as a line. */
const PRICE = /\s*Costs [^.]*(?:\.\d[^.]*)* per successful call\.$/

interface Page {
  /** How the command line is called. */
  readonly command: string
  /** Columns of the terminal. */
  readonly columns: number | undefined
  /** The live providers of its ports. */
  readonly ports: readonly { readonly port: string; readonly providers: readonly string[] }[]
}

/** What a user needs to call a capability: what it does, price, state, parameters, an example. */
export function capabilityPage(capability: ListedCapability, { command, columns = USUAL, ports }: Page): string {
  const { id, title, path, description, parameters, required, results, live, reason, limits, examples } = capability
  const names = Object.keys(parameters).sort((a, b) => Number(required.includes(b)) - Number(required.includes(a)))
  const state = live ? `answers now${limits === null ? '' : `; ${limits}`}` : `not available: ${reason ?? 'no provider is live'}`
  const about: [string, string][] = [
    ['price', `${priceWords(capability.price)} per successful call; a call that fails costs nothing`],
    ['state', state],
    ['providers', providerWords(id, ports)],
    ['address', `POST ${path}`],
    ['result', Object.keys(results).join(', ')],
  ]
  const rows: [string, string][] = names.flatMap((name): [string, string][] => {
    const schema = parameters[name]
    const words = isRecord(schema) && typeof schema.description === 'string' ? printable(schema.description) : ''
    return [[name, valueWords(schema, required.includes(name))], ...(words === '' ? [] : [['', words] satisfies [string, string]])]
  })
  const [example = {}] = examples
  const files = names.filter((name) => name === 'url' || name.endsWith('_url'))
  return [
    `${colors.bold(id)}  ${printable(title)}`,
    '',
    ...wrapped(printable(description.replace(PRICE, '')), columns),
    '',
    named(
      about.filter(([, text]) => text !== '').map(([name, text]) => [name, printable(text)]),
      columns,
    ),
    '',
    colors.bold('parameters'),
    names.length === 0 ? 'none' : named(rows, columns),
    '',
    colors.bold('example'),
    exampleCall(command, capability, example),
    ...(files.length === 0 ? [] : [`${files.map((name) => `${name}=@FILE`).join(' or ')} uploads a file of this machine`]),
  ].join('\n')
}

function providerWords(id: string, ports: Page['ports']): string {
  return ports
    .filter(({ providers }) => providers.length > 0)
    .map(({ port, providers }) => `${port === id ? '' : `${port}: `}${providers.join(', ')}`)
    .join('; ')
}

/** A price table: `2 credits`, or `1 (serp), 2 (ai) credits`; what a rule adds has a sign. */
function priceWords(price: Fields): string {
  const rows = Object.entries(price)
  const [first] = rows
  if (rows.length === 1 && first !== undefined) return `${String(first[1])} ${first[1] === 1 ? 'credit' : 'credits'}`
  return `${rows.map(([row, credits]) => `${/[=:]/.test(row) && Number(credits) > 0 ? '+' : ''}${String(credits)} (${row})`).join(', ')} credits`
}

/** The least and the highest price without what rules add or take off, in credits: `2`, `1 to 3`. */
export function priceRange(price: Fields): string {
  const amounts = Object.entries(price).flatMap(([row, credits]) => (/[=:]/.test(row) || typeof credits !== 'number' ? [] : [credits]))
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)]
  return least === most ? String(least) : `${least} to ${most}`
}

/** The values that a parameter takes: type or allowed values, whether it is required, default, range. */
function valueWords(schema: unknown, isRequired: boolean): string {
  const fields = isRecord(schema) ? schema : {}
  const parts = [
    kindWords(fields),
    ...(isRequired ? ['required'] : []),
    ...rangeWords(fields),
    ...(fields.default === undefined || fields.default === null ? [] : [`default ${asTyped(fields.default)}`]),
  ]
  return parts.join('; ')
}

/** The schemas that a value may have, without null. */
function alternatives(schema: Fields): Fields[] {
  const list = schema['anyOf'] ?? schema['oneOf']
  return (Array.isArray(list) ? list.filter(isRecord) : [schema]).filter(({ type }) => type !== 'null')
}

function kindWords(schema: Fields): string {
  const kinds = alternatives(schema).map((each) => {
    const values: readonly unknown[] = Array.isArray(each['enum']) ? each['enum'] : each['const'] === undefined ? [] : [each['const']]
    if (values.length > 0)
      return values
        .filter((value) => value !== null)
        .map(asTyped)
        .join(', ')
    const types = [each['type']].flat().filter((type) => type !== 'null')
    if (types.length === 0 || types[0] === undefined) return 'any value'
    const items = each['items']
    return types.includes('array') && isRecord(items) ? `list of: ${kindWords(items)}` : typeWords(types).replace(/^an? /, '')
  })
  return [...new Set(kinds)].join(', or ')
}

const RANGES = [
  ['minimum', 'maximum', ''],
  ['exclusiveMinimum', 'exclusiveMaximum', ' (exclusive)'],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' entries'],
] as const

function rangeWords(schema: Fields): string[] {
  return alternatives(schema).flatMap((each) =>
    RANGES.flatMap(([least, most, unit]) => {
      const [from, to] = [each[least], each[most]]
      if (typeof from !== 'number' && typeof to !== 'number') return []
      if (typeof to !== 'number') return from === 1 && unit === ' characters' ? [] : [`at least ${String(from)}${unit}`]
      return [typeof from === 'number' ? `${from} to ${to}${unit}` : `at most ${to}${unit}`]
    }),
  )
}

function asTyped(value: unknown): string {
  return typeof value === 'string' ? (value === '' ? '""' : value) : JSON.stringify(value)
}

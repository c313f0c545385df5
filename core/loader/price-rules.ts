import { quote, type Capability, type PriceTable } from '../sdk/index.js'
import { isRecord } from '../sdk/json.js'

const MOST_CREDITS = 1_000_000
const MOST_TRIES = 20_000

/** Credits as whole thousandths; RangeError unless an amount from 0 to a million with at most three decimals. */
export function thousandths(credits: number): number {
  const amount = Math.round(credits * 1000)
  if (!Number.isFinite(credits) || credits < 0 || credits > MOST_CREDITS || Math.abs(credits * 1000 - amount) > 1e-6)
    throw new RangeError(`${String(credits)} is not an amount of credits: 0 to ${String(MOST_CREDITS)}, in steps of 0.001`)
  return amount
}

/**
 * The fault of a capability's prices under a table, or null: the price is computed for every combination of values that
 * its rows and its field can take, and for each example (with defaults filled in).
 */
export function priceFault(
  capability: Capability,
  examples: readonly Readonly<Record<string, unknown>>[],
  table: PriceTable,
): string | null {
  const { field } = capability.price
  if (field !== undefined && !(field in capability.input.properties))
    return `the price of ${capability.id} reads "${field}", which its input does not have`
  const choices = priceFields(capability, table).map((name) => ({ name, values: valuesOf(capability, name, table) }))
  const base = examples[0] ?? {}
  for (const input of [...examples, ...combinations(base, choices)]) {
    try {
      thousandths(quote(capability, input, table))
    } catch (error) {
      const chosen = choices.map(({ name }) => `${name}=${JSON.stringify(input[name])}`).join(', ')
      return `the price of ${capability.id}${chosen === '' ? '' : ` for ${chosen}`} is wrong: ${error instanceof Error ? error.message : String(error)}`
    }
  }
  return null
}

interface Choice {
  readonly name: string
  readonly values: readonly unknown[]
}

function priceFields(capability: Capability, table: PriceTable): string[] {
  const named = Object.keys(table).flatMap((row) => /^(\w+)[=:]/.exec(row)?.[1] ?? [])
  const all = capability.price.field === undefined ? named : [capability.price.field, ...named]
  return [...new Set(all)].filter((name) => name in capability.input.properties)
}

/** Values of a field that can change the price: its enum, both booleans, or the values named in the table's rows. */
function valuesOf(capability: Capability, name: string, table: PriceTable): readonly unknown[] {
  const schema: unknown = capability.input.properties[name]
  const listed = isRecord(schema) ? enumOf(schema) : []
  if (listed.length > 0) return listed
  const rows = Object.keys(table)
  if (capability.price.field === name) return rows.filter((row) => !/[=:]/.test(row))
  const contained = rows.filter((row) => row.startsWith(`${name}:`)).map((row) => row.slice(name.length + 1))
  const equal = rows.filter((row) => row.startsWith(`${name}=`)).map((row) => row.slice(name.length + 1))
  return [
    undefined,
    ...equal,
    ...equal.map(Number).filter(Number.isFinite),
    ...(contained.length === 0 ? [] : [[], contained, ...contained.map((value) => [value])]),
  ]
}

function enumOf(schema: Record<string, unknown>): readonly unknown[] {
  const { enum: values, type, anyOf } = schema
  if (Array.isArray(values)) return values
  if (type === 'boolean') return [true, false]
  return Array.isArray(anyOf) ? anyOf.flatMap((part: unknown): unknown[] => (isRecord(part) && 'const' in part ? [part.const] : [])) : []
}

function* combinations(base: Readonly<Record<string, unknown>>, choices: readonly Choice[]): Generator<Record<string, unknown>> {
  const total = choices.reduce((product, { values }) => product * Math.max(1, values.length), 1)
  for (let index = 0; index < Math.min(total, MOST_TRIES); index++) {
    let rest = index
    const input: Record<string, unknown> = { ...base }
    for (const { name, values } of choices) {
      if (values.length === 0) continue
      input[name] = values[rest % values.length]
      rest = Math.floor(rest / values.length)
    }
    yield input
  }
}

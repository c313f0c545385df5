import type { LoadedCapability, Registry } from '../loader/types.js'
import type { TSchema } from '../sdk/index.js'

/** A capability as discovery shows it: everything is read from its one declaration. */
export interface Described {
  readonly id: string
  /** Name for tools: letters, digits and `_`. */
  readonly tool: string
  readonly path: string
  readonly title: string
  /** With the price, at most 1,024 characters. */
  readonly description: string
  readonly price: Readonly<Record<string, number>>
  readonly input: TSchema
  readonly output: TSchema
  readonly examples: LoadedCapability['capability']['examples']
  readonly live: boolean
  readonly reason: string | null
  readonly products: readonly string[]
}

const LONGEST = 1024

/** The loaded capabilities as discovery shows them, in the order of their ids. */
export function describe(registry: Registry): Described[] {
  return [...registry.capabilities.values()]
    .map((loaded): Described => {
      const { capability, prices, input } = loaded
      return {
        id: capability.id,
        tool: capability.id.replaceAll('.', '_'),
        path: capability.path,
        title: capability.title,
        description: `${capability.description} ${priceSentence(prices)}`.slice(0, LONGEST),
        price: prices,
        input: input.schema,
        output: capability.output,
        examples: capability.examples,
        ...registry.liveness(capability.id),
        products: capability.products ?? [],
      }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** A price table in words: `Costs 2 credits.` or `Costs 1 (serp), 2 (ai), 3 (deep) credits.` */
export function priceSentence(prices: Readonly<Record<string, number>>): string {
  const rows = Object.entries(prices)
  const [first] = rows
  if (rows.length === 1 && first !== undefined) return `Costs ${first[1]} ${first[1] === 1 ? 'credit' : 'credits'} per successful call.`
  return `Costs ${rows.map(([row, credits]) => `${signed(row, credits)} (${row})`).join(', ')} credits per successful call.`
}

function signed(row: string, credits: number): string {
  return /[=:]/.test(row) && credits > 0 ? `+${credits}` : String(credits)
}

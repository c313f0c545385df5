/** Credits by case; a flat price has the one case `call`. */
export type PriceTable = Readonly<Record<string, number>>

/** The price of a call as data: a table that can be printed and overridden, and the rule that reads it. */
export interface Price<T> {
  /** The input field whose value selects the row, if there is one. */
  readonly field?: string
  readonly table: PriceTable
  /** Credits for this input. A table passed here (the operator's) replaces the plugin's. */
  readonly quote: (input: T, table?: PriceTable) => number
}

/** The same price for every call. */
export function flat(credits: number): Price<unknown> {
  return { table: { call: credits }, quote: (_input, table) => row(table ?? { call: credits }, 'call') }
}

/** A price for each value of a field; a value without a price is a compile error. */
export function by<const K extends string, const R extends Record<string, number>>(field: K, table: R): Price<Record<K, keyof R>> {
  return { field, table, quote: (input, override) => row(override ?? table, String(input[field])) }
}

/** An addition to a base price: when a field has a value, or when a list contains it. */
export type PriceRule =
  | { readonly when: string; readonly is: string | number | boolean; readonly add: number }
  | { readonly when: string; readonly has: string; readonly add: number }

type RuleInput<R> = R extends { when: infer K extends string; is: infer V }
  ? { [P in K]: V extends boolean ? boolean : V extends number ? number : string }
  : R extends { when: infer K extends string; has: string }
    ? { [P in K]: readonly string[] | string }
    : never
type AllOf<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never

/** A base price with additions and reductions, for example `{when: 'synthesis', is: false, add: -5}`. */
export function plus<T, const R extends readonly PriceRule[]>(base: Price<T>, rules: R): Price<T & AllOf<RuleInput<R[number]>>> {
  const table: Record<string, number> = { ...base.table }
  for (const rule of rules) table[ruleName(rule)] = rule.add
  return {
    ...(base.field === undefined ? {} : { field: base.field }),
    table,
    quote: (input, override) => {
      const chosen = override ?? table
      const fields = input as Record<string, unknown>
      return rules.reduce(
        (sum, rule) => (applies(rule, fields[rule.when]) ? sum + row(chosen, ruleName(rule)) : sum),
        base.quote(input, chosen),
      )
    },
  }
}

function ruleName(rule: PriceRule): string {
  return 'is' in rule ? `${rule.when}=${String(rule.is)}` : `${rule.when}:${rule.has}`
}

function applies(rule: PriceRule, value: unknown): boolean {
  if ('is' in rule) return value === rule.is
  return Array.isArray(value) ? value.includes(rule.has) : typeof value === 'string' && value.split(',').includes(rule.has)
}

function row(table: PriceTable, name: string): number {
  const credits = table[name]
  if (credits === undefined) throw new RangeError(`no price for "${name}" in the table ${JSON.stringify(table)}`)
  return credits
}

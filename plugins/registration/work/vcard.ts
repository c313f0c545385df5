/** One property of a jCard (RFC 7095 3.3): its name, parameters, and value. */
interface Property {
  readonly name: string
  readonly parameters: object
  readonly value: unknown
}

/** Maximum nesting of lists around the properties of a card. */
const MOST_DEPTH = 3

/** A contact in RDAP; registries omit and misplace much of it. */
export class Card {
  readonly #properties: readonly Property[]

  /** `card` is the unchecked value of `vcardArray`. */
  constructor(card: unknown) {
    this.#properties = rowsIn(card).flatMap((row): Property[] => {
      const cells: readonly unknown[] = Array.isArray(row) ? row : []
      const [name, parameters, , value] = cells
      if (typeof name !== 'string') return []
      return [{ name: name.toLowerCase(), parameters: typeof parameters === 'object' && parameters !== null ? parameters : {}, value }]
    })
  }

  /** The first text of a property; for a structured one its first part. */
  text(name: string): string {
    const values = this.#properties.filter((each) => each.name === name).map(({ value }) => textOf(value))
    return values.find((value) => value !== '') ?? ''
  }

  /** State and country of the address. */
  place(): { readonly state: string; readonly country: string } {
    const address = this.#properties.find(({ name }) => name === 'adr')
    const parts: readonly unknown[] = Array.isArray(address?.value) ? address.value : []
    const code: unknown = address !== undefined && 'cc' in address.parameters ? address.parameters.cc : ''
    return { state: textOf(parts[4]), country: textOf(code) || textOf(parts[6]) }
  }
}

/** Properties of a card, also when a server nests them once more than RFC 7095, or not at all. */
function rowsIn(value: unknown, depth = 0): readonly unknown[] {
  if (!Array.isArray(value) || depth > MOST_DEPTH) return []
  const inner: readonly unknown[] = value.slice(0, 100).filter(Array.isArray)
  if (inner.some(isRow)) return inner
  return inner.map((each) => rowsIn(each, depth + 1)).find(({ length }) => length > 0) ?? []
}

/** A property starts with its name and parameters (RFC 7095 3.3). */
function isRow(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'object' && !Array.isArray(value[1])
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).find((each) => each !== '') ?? ''
  return typeof value === 'string' ? value.replace(/^(?:mailto|tel):/i, '').trim() : ''
}

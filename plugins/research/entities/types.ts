/** A person whom a source names. */
export interface NamedPerson {
  readonly name: string
  readonly role: string | null
  readonly company: string | null
}

/** A company that a source names. */
export interface NamedCompany {
  readonly name: string
  /** Of a source that is the company's own site; null when none is. */
  readonly domain: string | null
}

export interface Named {
  /** The ones that are named most often first. */
  readonly people: readonly NamedPerson[]
  readonly companies: readonly NamedCompany[]
}

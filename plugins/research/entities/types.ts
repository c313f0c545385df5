/** A person named by a source. */
export interface NamedPerson {
  readonly name: string
  readonly role: string | null
  readonly company: string | null
}

/** A company named by a source. */
export interface NamedCompany {
  readonly name: string
  /** Domain of a source that is the company's own site; null without one. */
  readonly domain: string | null
}

export interface Named {
  /** The most frequently named first. */
  readonly people: readonly NamedPerson[]
  readonly companies: readonly NamedCompany[]
}

/** Where a provider's file finds what it imports. */
export interface ProviderPlace {
  readonly sdk: string
  /** Name of the plugin. */
  readonly name: string
  readonly vendor: string
  /** Where the vendor's file is. */
  readonly vendorFrom: string
}

/** What is a form's own in the contract. */
export interface ContractParts {
  /** Names of the sdk, in one line. */
  readonly imports: string
  /** Fields of input and output, a line each. */
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly timeoutMs: string
  readonly example: string
}

/** What a new plugin's capability does, as the texts of its files. None of them holds a type, so that they are JavaScript too. */
export interface Form {
  readonly contract: ContractParts
  readonly provider: (place: ProviderPlace) => string
  readonly fixture: (name: string) => unknown
  /** The plugin's settings, for a form that has some. */
  readonly settings?: (sdk: string) => string
}

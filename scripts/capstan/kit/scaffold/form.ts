/** Import paths of a provider's file. */
export interface ProviderPlace {
  readonly sdk: string
  /** Name of the plugin. */
  readonly name: string
  readonly vendor: string
  /** Where the vendor's file is. */
  readonly vendorFrom: string
}

/** The parts of the contract that depend on the form. */
export interface ContractParts {
  /** Names of the sdk, in one line. */
  readonly imports: string
  /** Fields of input and output, a line each. */
  readonly input: readonly string[]
  readonly output: readonly string[]
  readonly timeoutMs: string
  readonly example: string
}

/** The files of a new plugin's capability. They contain no types, so that they are also JavaScript. */
export interface Form {
  readonly contract: ContractParts
  readonly provider: (place: ProviderPlace) => string
  readonly fixture: (name: string) => unknown
  /** The plugin's settings, for a form that has some. */
  readonly settings?: (sdk: string) => string
}

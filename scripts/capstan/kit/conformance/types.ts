/** One requirement on a plugin, for a test runner or for `capstan plugin test`. */
export interface ConformanceCase {
  readonly plugin: string
  readonly name: string
  /** Why it cannot run here, or null. */
  readonly skip: string | null
  /** Rejects with an Error that describes the violation. */
  run(): Promise<void>
}

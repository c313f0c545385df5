/** One thing a plugin must do, for a test runner or for `capstan plugin test`. */
export interface ConformanceCase {
  readonly plugin: string
  readonly name: string
  /** Why it cannot run here, or null. */
  readonly skip: string | null
  /** Rejects with an Error that says what is wrong. */
  run(): Promise<void>
}

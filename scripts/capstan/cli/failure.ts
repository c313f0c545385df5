/** The command was used wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was used correctly and failed. `document` is what `--json` prints instead of the message; `code`: the exit code, 1 by default. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly document: unknown
  readonly code: number
  constructor(message: string, document?: unknown, code = 1) {
    super(message)
    this.document = document
    this.code = code
  }
}

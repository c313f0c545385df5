/** The command was used wrongly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was used correctly and failed: exit code 1. `document` is what `--json` prints instead of the message. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly document: unknown
  constructor(message: string, document?: unknown) {
    super(message)
    this.document = document
  }
}

/** The origin of an error: the first file of its stack outside Node. */
function placeOf(stack: string): string {
  const file = /(?:\(|at )(?:file:\/\/)?(\/[^()\n]+:\d+:\d+)\)?/.exec(stack)?.[1]
  return file === undefined ? '' : ` (at ${file})`
}

/**
 * Uncaught errors, such as those of a plugin after it was loaded: one line each, and the command fails at its end. `stop` ends this; `serve`
 * handles them itself.
 */
export class LateErrors {
  readonly #write: (text: string) => void
  readonly #note = (error: unknown): void => {
    this.#seen = true
    const [message, stack] = error instanceof Error ? [error.message, error.stack ?? ''] : [String(error), '']
    this.#write(`error: unhandled error${placeOf(stack)}: ${message}\n`)
  }
  #seen = false

  constructor(write: (text: string) => void) {
    this.#write = write
    process.on('uncaughtException', this.#note).on('unhandledRejection', this.#note)
  }

  get seen(): boolean {
    return this.#seen
  }

  stop(): void {
    process.off('uncaughtException', this.#note).off('unhandledRejection', this.#note)
  }
}

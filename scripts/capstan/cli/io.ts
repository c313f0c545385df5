/** The streams and environment of a command: the process's, or a test's. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Standard error is a terminal, so progress is shown. */
  readonly tty: boolean
  /** Resolves when more can be written. */
  out(text: string): Promise<void>
  err(text: string): void
}

/** The streams of this process. */
export function processIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    tty: process.stderr.isTTY,
    out: (text) =>
      new Promise((resolve) => {
        if (process.stdout.write(text)) resolve()
        else process.stdout.once('drain', resolve)
      }),
    err: (text) => void process.stderr.write(text),
  }
}

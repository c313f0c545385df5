/** The streams and environment of a command: the process's, or a test's. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Standard error is a terminal, so progress is shown. */
  readonly tty: boolean
  /** Columns of that terminal, where known. */
  readonly errColumns?: number
  /** Columns of the terminal that standard output is; absent where it is none, so that a program reads it: it gets JSON and no colours. */
  readonly columns?: number
  /** Resolves when more can be written. */
  out(text: string): Promise<void>
  err(text: string): void
}

/** Columns of a terminal that does not say them. */
const USUAL = 80

/** The streams of this process. */
export function processIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    tty: process.stderr.isTTY,
    ...(process.stderr.isTTY && process.stderr.columns > 0 ? { errColumns: process.stderr.columns } : {}),
    ...(process.stdout.isTTY ? { columns: process.stdout.columns || USUAL } : {}),
    out: (text) =>
      new Promise((resolve) => {
        if (process.stdout.write(text)) resolve()
        else process.stdout.once('drain', resolve)
      }),
    err: (text) => void process.stderr.write(text),
  }
}

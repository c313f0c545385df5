/**
 * A program with a slow start that is started ahead of its jobs. Each instance has its own sandbox, with the isolation
 * of `ctx.exec`, runs one job and ends after it: nothing of a job can reach the next. The first job waits for the
 * start; while jobs come, one instance is kept ready.
 */
export interface WarmProgram {
  /** Its name in the log, for example `office.soffice`. */
  readonly id: string
  /** One of the vendor's declared programs. */
  readonly program: string
  readonly args: readonly string[]
  /** Absolute path inside, or a shell pattern for one, that exists as soon as the program is ready for a job. */
  readonly ready: string
  /**
   * Who runs the job. `beside`: the program passed to `ctx.exec`, which connects to the started one by a socket below
   * `/job` or `/tmp`. `itself`: the started program, which reads one line from the named pipe `/job/.tmp/go`, written
   * once the job's files exist, and then has the job's standard streams; `ctx.exec` must name the same program and
   * arguments, and no `env`.
   */
  readonly job: 'beside' | 'itself'
  /** Files created below `/job` before the start. Relative names; hidden ones (`.profile/x`) are not results. */
  readonly files?: readonly { readonly name: string; readonly text: string }[]
  readonly env?: Readonly<Record<string, string>>
  /** Further folders that are visible read-only. */
  readonly readOnly?: readonly string[]
  /** Memory of all processes together in MiB, default 512. */
  readonly memoryMb?: number
  /** Default 128. */
  readonly processes?: number
  /** Size of the job folder in MiB, including copied files of the call; default 256. */
  readonly diskMb?: number
  /** Allows network through the guard proxy; default off. */
  readonly network?: boolean
  /** Time limit of the start in milliseconds, default 60,000. */
  readonly startMs?: number
  /** An idle instance is ended when no job came for so many milliseconds, default 120,000. */
  readonly idleMs?: number
}

/** Declares a program that is started ahead, for `warm` of `ctx.exec`. Throws TypeError for an invalid definition. */
export function warmProgram<const W extends WarmProgram>(definition: W): W {
  const { id, ready, files = [] } = definition
  if (!ready.startsWith('/') || /\s/.test(ready)) throw new TypeError(`warm program ${id}: ready is no absolute path without spaces`)
  const wrong = files.find(({ name }) => name.startsWith('/') || name.split('/').some((part) => part === '' || part === '..'))
  if (wrong !== undefined) throw new TypeError(`warm program ${id}: ${JSON.stringify(wrong.name)} is no relative name`)
  return definition
}

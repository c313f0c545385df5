/**
 * A program with a slow start that is started before its jobs come. Each is in a sandbox of its own, with the isolation of `ctx.exec`, takes one
 * job and is ended after it: nothing that a job left can reach the next. The first job waits for the start; while jobs come, one is kept ready.
 */
export interface WarmProgram {
  /** Names it in the log, for example `office.soffice`. */
  readonly id: string
  /** One of the programs that the vendor declares. */
  readonly program: string
  readonly args: readonly string[]
  /** Absolute path inside, or a pattern of the shell for one, that exists as soon as the program is ready for a job. */
  readonly ready: string
  /**
   * Who does the job. `beside`: the program given to `ctx.exec`, which reaches the started one by a socket below `/job` or `/tmp`. `itself`: the
   * started program, which reads one line from the named pipe `/job/.tmp/go`, by when the job's files are there, and then has the job's standard
   * streams; `ctx.exec` must name the same program and arguments, and no `env`.
   */
  readonly job: 'beside' | 'itself'
  /** Put below `/job` before the start. Relative names; hidden ones (`.profile/x`) are no result of a job. */
  readonly files?: readonly { readonly name: string; readonly text: string }[]
  readonly env?: Readonly<Record<string, string>>
  /** Further folders to show read-only inside. */
  readonly readOnly?: readonly string[]
  /** MiB of all processes together, default 512. */
  readonly memoryMb?: number
  /** Default 128. */
  readonly processes?: number
  /** Size of the job folder in MiB, into which also files of the call are copied; default 256. */
  readonly diskMb?: number
  /** Network through the guard proxy; off unless asked for. */
  readonly network?: boolean
  /** How long the start may take in milliseconds, default 60,000. */
  readonly startMs?: number
  /** One that is ready is ended when no job came for so many milliseconds, default 120,000. */
  readonly idleMs?: number
}

/** Declares a program that is started ahead, for `warm` of `ctx.exec`. Throws TypeError for a definition that cannot work. */
export function warmProgram<const W extends WarmProgram>(definition: W): W {
  const { id, ready, files = [] } = definition
  if (!ready.startsWith('/') || /\s/.test(ready)) throw new TypeError(`warm program ${id}: ready is no absolute path without spaces`)
  const wrong = files.find(({ name }) => name.startsWith('/') || name.split('/').some((part) => part === '' || part === '..'))
  if (wrong !== undefined) throw new TypeError(`warm program ${id}: ${JSON.stringify(wrong.name)} is no relative name`)
  return definition
}

import type { ScratchFile } from './scratch.js'
import type { WarmProgram } from './warm.js'

/** Packs the files of the working folder: no hidden ones, no links except hard links. Needs GNU tar. */
export const PACK = "tar --create --file=- --format=gnu --hard-dereference --exclude='*/.?*' --exclude=__pycache__ ."

const UNPACK_AND_RUN = `unset mark
IFS= read -r mark || exit 125
tar -xomf - || exit 125
"$@" </dev/null
code=$?
printf '%sE%s\\n' "$mark" "$code"
if tar --version 2>/dev/null | grep -q GNU; then ${PACK}; else tar -cf - --exclude='*/.?*' --exclude=__pycache__ .; fi 2>/dev/null
exit "$code"`

/**
 * The arguments of a command that runs another command inside a container tool, in a folder whose files are streamed in
 * and out, for `exec` with `isolation: 'external'` and files. Standard input is a line with a mark and a tar archive;
 * standard output ends with the mark, `E`, the exit code and a tar archive. The container needs sh, tar and grep. Exits
 * with 125 when the files could not be unpacked.
 */
export function withStreamedFiles(command: readonly string[]): string[] {
  return ['sh', '-c', UNPACK_AND_RUN, 'sh', ...command]
}

/** A file for a program: bytes, or a file of the call, which the program sees read-only and which is not copied. */
export interface ProgramFile {
  readonly name: string
  readonly data: Uint8Array | ScratchFile
}

/** What a sandboxed program needs and may use. */
export interface ExecOptions {
  /** Bytes, or a stream, which is read at the speed of the program. */
  readonly stdin?: Uint8Array | AsyncIterable<Uint8Array>
  /** Initial files of the job folder; relative names, one level. */
  readonly files?: readonly ProgramFile[]
  /**
   * With `scratch`, standard output is written to a file of the call, which `stdoutFile` names. `maxOutput` is then by
   * default what is left of `limits.scratch`; more output is an `invalid` Fault. A function receives standard output as
   * it comes and reads it to its end, for output that is passed on while the program runs. The program waits while it
   * is not read, and ends by a broken pipe when the reader stops early. `maxOutput` is not used.
   */
  readonly stdout?: 'scratch' | ((output: AsyncIterable<Uint8Array>) => void)
  /**
   * Called with each line of standard error, and of standard output where that is kept in memory, as it is written: for
   * progress. At most 1,000 characters of a line; not for programs with isolation `external`. An error that it throws
   * stops the program and rejects the run.
   */
  readonly onLine?: (line: string) => void
  readonly env?: Readonly<Record<string, string>>
  /** Wall time in milliseconds, default the rest of the call. */
  readonly timeoutMs?: number
  readonly memoryMb?: number
  readonly processes?: number
  /** Size of the job folder in MiB. */
  readonly diskMb?: number
  /** Bytes kept of each output stream, default 1 MiB; further output is cut and marked. */
  readonly maxOutput?: number
  /** Allows network through the guard proxy; default off. */
  readonly network?: boolean
  /**
   * Collects regular files created in the job folder: at most so many, of at most so many bytes together. Hidden files,
   * `__pycache__` and unchanged inputs are excluded; a job stopped by its time limit returns none. More than 100,000
   * files stop a job as out of memory. With `into: 'scratch'` they become files of the call, in `scratchFiles`, instead
   * of bytes in `files`.
   */
  readonly collect?: { readonly maxFiles: number; readonly maxBytes: number; readonly into?: 'scratch' }
  /** Further folders that are visible read-only. */
  readonly readOnly?: readonly string[]
  /**
   * Runs the job in a sandbox in which this program is already started. `memoryMb`, `processes`, `diskMb`, `network`
   * and `readOnly` are then those of the warm program, and setting them here is a TypeError. Files of the call are
   * copied into the job folder.
   */
  readonly warm?: WarmProgram
  /**
   * The program is itself the isolation (another sandbox or container tool): it is started with limits but outside our
   * sandbox. `files` and `collect` then mean the folder inside the tool, are streamed and use `stdin`: the tool must
   * run the command of `withStreamedFiles` there. Files of the call are a TypeError for such programs.
   */
  readonly isolation?: 'external'
  /**
   * With isolation `external`: this machine does not limit the program's memory. Refused while more than one account is
   * enabled, unless `sandbox.without_groups` allows it. Set from the vendor's `memoryUnbounded`.
   */
  readonly memoryUnbounded?: boolean
  /**
   * With isolation `external`: files for the tool itself, created in its working folder on the host. Called with what
   * sandboxed programs may see of the host.
   */
  readonly toolFiles?: (view: (program: string) => HostView) => readonly { readonly name: string; readonly data: Uint8Array }[]
}

/** What a sandboxed program may see of this machine's files. */
export interface HostView {
  /** Absolute path of the program. */
  readonly program: string
  /** Outer places before inner ones. */
  readonly places: readonly ShownPlace[]
}

/** One path inside, read-only: the host's `from`, or an empty file or folder that hides it. */
export interface ShownPlace {
  readonly at: string
  readonly shows: 'host' | 'empty-file' | 'empty-folder'
  /** The path on the host, with links resolved. */
  readonly from: string
}

/** Limits of a module that reads foreign bytes, and its second argument. */
export interface ParseOptions {
  readonly timeoutMs?: number
  readonly memoryMb?: number
  readonly args?: unknown
  /** Of `parseFiles`: size limit of the resulting file. */
  readonly maxBytes?: number
}

export interface ExecResult {
  /** The program's code; 124 when stopped by the time limit, 137 when killed for memory, 128 + signal otherwise. */
  readonly code: number
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly stdoutCut: boolean
  readonly stderrCut: boolean
  readonly stopped: 'time' | 'memory' | 'output' | 'aborted' | null
  readonly bootMs: number
  readonly runMs: number
  readonly files: readonly { readonly name: string; readonly data: Uint8Array }[]
  /** With `collect.into`. */
  readonly scratchFiles: readonly { readonly name: string; readonly file: ScratchFile }[]
  /** With `stdout: 'scratch'`, else null. */
  readonly stdoutFile: ScratchFile | null
  /** Files that were created but not collected because of a limit. */
  readonly filesLeft: number
  /** With isolation `external` and files: whether the program inside ended; if not, `code` is that of the tool. */
  readonly endSeen?: boolean
}

/** The result of a module that reads files, and the file of its `data`; null when there is none. */
export interface ParsedFiles<T> {
  readonly result: T
  readonly file: ScratchFile | null
}

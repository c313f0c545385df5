import type { ScratchFile } from './scratch.js'
import type { WarmProgram } from './warm.js'

/** Packs the files of the working folder: no hidden ones, no links but hard ones. An archiver that is not GNU's knows neither option. */
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
 * The words of a command that runs another one inside a container tool, in a folder whose files come and go as streams, for `exec` with
 * `isolation: 'external'` and files. Standard input brings a line with a mark and a tar archive; standard output ends with the mark, `E`, the
 * exit code and a tar archive. Inside there must be sh, tar and grep. It ends with 125 when the files could not be unpacked.
 */
export function withStreamedFiles(command: readonly string[]): string[] {
  return ['sh', '-c', UNPACK_AND_RUN, 'sh', ...command]
}

/** A file for a program: bytes, or a file of the call, which the program sees read-only and which is not copied. */
export interface ProgramFile {
  readonly name: string
  readonly data: Uint8Array | ScratchFile
}

/** What running a program in the sandbox needs and may use. */
export interface ExecOptions {
  /** Bytes, or a stream, which is read no faster than the program takes it. */
  readonly stdin?: Uint8Array | AsyncIterable<Uint8Array>
  /** Files of the job folder at the start; relative names, one level. */
  readonly files?: readonly ProgramFile[]
  /**
   * With `scratch` standard output goes to a file of the call as it comes, which `stdoutFile` names; `maxOutput` is then by default what is left of
   * `limits.scratch`, and more is an `invalid` Fault.
   */
  readonly stdout?: 'scratch'
  /**
   * Told of each line that the program writes to standard error, and to standard output where that is kept in memory, as it comes: for progress.
   * At most 1,000 characters of a line, not for programs with isolation `external`. What it throws stops the program and is what the run rejects with.
   */
  readonly onLine?: (line: string) => void
  readonly env?: Readonly<Record<string, string>>
  /** Wall time in milliseconds, default what is left of the call. */
  readonly timeoutMs?: number
  readonly memoryMb?: number
  readonly processes?: number
  /** Size of the job folder in MiB. */
  readonly diskMb?: number
  /** Bytes kept of each output stream, default 1 MiB; more is cut and marked. */
  readonly maxOutput?: number
  /** Network through the guard proxy; off unless asked for. */
  readonly network?: boolean
  /**
   * Collect regular files made in the job folder: at most so many, of at most so many bytes together. Hidden ones, `__pycache__` and
   * unchanged inputs are left out; a job stopped by time gives none. More than 100,000 files stop a job as out of memory.
   * With `into: 'scratch'` they become files of the call, in `scratchFiles`, instead of bytes in `files`.
   */
  readonly collect?: { readonly maxFiles: number; readonly maxBytes: number; readonly into?: 'scratch' }
  /** Further folders to show read-only inside. */
  readonly readOnly?: readonly string[]
  /**
   * Run the job in a sandbox in which this program was started before. `memoryMb`, `processes`, `diskMb`, `network` and `readOnly` are then those of
   * the warm program, and a TypeError here. Files of the call are copied into the job folder.
   */
  readonly warm?: WarmProgram
  /**
   * The program is itself the isolation (another sandbox or container tool): started with limits but not inside ours. `files` and `collect`
   * then mean the folder inside it, are given as streams and keep `stdin` for themselves: the tool must run the words of `withStreamedFiles` there.
   * Files of the call are not for such programs: a TypeError.
   */
  readonly isolation?: 'external'
  /**
   * With isolation `external`: nothing on this machine bounds the program's memory. Refused while more than one account is enabled, unless
   * `sandbox.without_groups` allows it. Set from the vendor's `memoryUnbounded`.
   */
  readonly memoryUnbounded?: boolean
  /** With isolation `external`: files for the tool itself, put into its working folder on the host. Asked with what programs may see of it. */
  readonly toolFiles?: (view: (program: string) => HostView) => readonly { readonly name: string; readonly data: Uint8Array }[]
}

/** What a program that runs in isolation may see of this machine's files. */
export interface HostView {
  /** Absolute path of the program. */
  readonly program: string
  /** Outer places before inner ones. */
  readonly places: readonly ShownPlace[]
}

/** One place inside, read-only: what the host has at `from`, or an empty file or folder that hides it. */
export interface ShownPlace {
  readonly at: string
  readonly shows: 'host' | 'empty-file' | 'empty-folder'
  /** The host's path, without links. */
  readonly from: string
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
  /** Files that were made but not collected, for one of the limits. */
  readonly filesLeft: number
  /** With isolation `external` and files: whether the program inside was seen to end; where not, `code` is the tool's own. */
  readonly endSeen?: boolean
}

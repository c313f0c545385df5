import type { Cancel } from '../runtime/cancel.js'
import type { ExecOptions, ExecResult, ParsedFiles, ParseOptions, ResidentOptions, ResidentProgram, ScratchFile } from '../sdk/index.js'

/** The files of a call on the disk, for programs. */
export interface ProgramFiles {
  /** Makes a file readable for users of programs and returns its path. Throws TypeError for a file of another call. */
  expose(file: ScratchFile): Promise<string>
  /** The bytes of a file, in order. Throws TypeError for a file of another call. */
  read(file: ScratchFile): AsyncIterable<Uint8Array>
  /** Faults as `Scratch.write`. */
  write(data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes?: number): Promise<ScratchFile>
}

/** Bytes for a parser: in memory, or a stream with backpressure. */
export type ForeignBytes = Uint8Array | AsyncIterable<Uint8Array>

/** The options of a program, with the call's files. */
export interface RunOptions extends ExecOptions {
  /** The call's files, for programs that use them. */
  readonly callFiles?: () => ProgramFiles
}

/** The options of a module that reads files of a call. */
export interface ParseFilesOptions extends ParseOptions {
  readonly callFiles: ProgramFiles
}

/** One guarantee of the sandbox, tested on this machine. */
export interface SandboxCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** When true a failure disables every provider that needs the sandbox. */
  readonly isolation: boolean
}

export interface SandboxStatus {
  readonly live: boolean
  /** `bubblewrap 0.8.0, cgroup v1 memory and pids`, or why the sandbox is unavailable. */
  readonly detail: string
  readonly checks: readonly SandboxCheck[]
  /** True when the memory of programs is not fully limited; `detail` says so. */
  readonly memoryUnbounded?: boolean
}

export interface LauncherOptions {
  /** Folder of the script. */
  readonly folder: string
  /** Folders that the program may write to; other users can enter their parents. */
  readonly writable: readonly string[]
  readonly readOnly?: readonly string[]
  /** Its only network is the guard proxy, at PROXY_URL inside; else it has the host's. */
  readonly proxied?: boolean
}

/** Runs programs on foreign bytes: isolated files, network, privileges; bounded time, memory, processes, disk. */
export interface Sandbox {
  /** Checked once, on the first call. */
  status(): Promise<SandboxStatus>
  /** Absolute path of a program by name: the operator's setting, else the PATH. */
  program(name: string): string | undefined
  /**
   * The reason why programs of callers are refused at the moment: nothing limits their memory and several accounts are enabled; null when
   * they are allowed. Counts the accounts anew. `external` is for programs in a vendor's own isolation that does not limit their memory.
   */
  refusal(external: boolean): Promise<string | null>
  /** Runs a program. Rejects with a Fault (`busy` when no slot is free, `broken` when the sandbox itself failed). */
  run(program: string, args: readonly string[], options: RunOptions, cancel: Cancel): Promise<ExecResult>
  /** A script that starts the program in the sandbox, for control over pipes (descriptors 3 and 4 pass through). */
  launcher(program: string, options: LauncherOptions): Promise<string>
  /** Starts a program that stays, for callers one after another. */
  start(program: string, args: readonly string[], options?: ResidentOptions): Promise<ResidentProgram>
  /** Runs a module's default export on bytes, in memory or streamed, in a sandboxed Node process. */
  parse(module: URL, bytes: ForeignBytes, options: ParseOptions, cancel: Cancel): Promise<unknown>
  /** The same on files of a call. The bytes that the module returns become a new file. */
  parseFiles(module: URL, files: readonly ScratchFile[], options: ParseFilesOptions, cancel: Cancel): Promise<ParsedFiles<unknown>>
  close(): Promise<void>
}

/** Runs a module's default export in a worker thread that can be killed, with a heap limit. */
export interface Workers {
  /**
   * The result for an input. `timeoutMs` (default 10,000) starts when the thread has imported the module and excludes waiting for a
   * processor, which may make it five times as long. Faults: `blocked` for too much time or memory, `busy` when the machine was too busy
   * or the call is over.
   */
  run(module: URL, input: unknown, options: { timeoutMs?: number; heapMb?: number }, cancel: Cancel): Promise<unknown>
  close(): Promise<void>
}

import type { Cancel } from '../runtime/cancel.js'
import type { ExecOptions, ExecResult, ScratchFile } from '../sdk/index.js'

/** The files of a call on the disk, as far as programs read and write them. */
export interface CallFiles {
  /** The path of a file, from now on readable for the users that programs run as. Throws TypeError for a file of another call. */
  lend(file: ScratchFile): Promise<string>
  /** The bytes of a file, in order. Throws TypeError for a file of another call. */
  read(file: ScratchFile): AsyncIterable<Uint8Array>
  /** Faults as `Scratch.write`. */
  write(data: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes?: number): Promise<ScratchFile>
}

/** Bytes for a parser: in memory, or a stream that is read no faster than the parser takes it. */
export type ForeignBytes = Uint8Array | AsyncIterable<Uint8Array>

/** What running a program needs beside its options. */
export interface RunOptions extends ExecOptions {
  /** The call's files, for programs that use them. */
  readonly callFiles?: () => CallFiles
}

/** One promise of the sandbox, tried on this machine. */
export interface SandboxCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  /** When true a failure turns every provider off that needs the sandbox. */
  readonly isolation: boolean
}

export interface SandboxStatus {
  readonly live: boolean
  /** `bubblewrap 0.8.0, cgroup v1 memory and pids`, or why there is none. */
  readonly detail: string
  readonly checks: readonly SandboxCheck[]
  /** True when nothing holds the memory of programs wholly; `detail` says so. */
  readonly memoryUnbounded?: boolean
}

export interface LauncherOptions {
  /** Where the script is put. */
  readonly folder: string
  /** Folders the program may write to, below ones that other users may enter. */
  readonly writable: readonly string[]
  readonly readOnly?: readonly string[]
  /** Its only network is the guard proxy, at PROXY_URL inside; else it has the host's. */
  readonly proxied?: boolean
}

/** Runs programs on foreign bytes: isolated files, network, privileges; bounded time, memory, processes, disk, output. */
export interface Sandbox {
  /** Found out once, when first asked. */
  status(): Promise<SandboxStatus>
  /** Absolute path of a program by name: the operator's setting, else the PATH. */
  program(name: string): string | undefined
  /**
   * Why programs of callers are refused at the moment, though they could run: nothing bounds their memory and several accounts are enabled; null when
   * they are not. `external` asks for programs in a vendor's own isolation that does not bound their memory.
   */
  refusal(external: boolean): Promise<string | null>
  /** Runs a program. Rejects with a Fault (`busy` when no slot is free, `broken` when the sandbox itself failed). */
  run(program: string, args: readonly string[], options: RunOptions, cancel: Cancel): Promise<ExecResult>
  /**
   * A script that starts the program inside the sandbox, for programs driven over pipes (descriptors 3 and 4 pass through).
   */
  launcher(program: string, options: LauncherOptions): Promise<string>
  /** Runs a module's default export on binary bytes, given or as they come, in a sandboxed Node process. */
  parse(
    module: URL,
    bytes: ForeignBytes,
    options: { timeoutMs?: number; memoryMb?: number; args?: unknown },
    cancel: Cancel,
  ): Promise<unknown>
  /** The same on files of a call. The bytes that the module answers become another. */
  parseFiles(
    module: URL,
    files: readonly ScratchFile[],
    options: { timeoutMs?: number; memoryMb?: number; args?: unknown; maxBytes?: number; callFiles: CallFiles },
    cancel: Cancel,
  ): Promise<{ readonly result: unknown; readonly file: ScratchFile | null }>
  close(): Promise<void>
}

/** Runs a module's default export in a worker thread that can be killed, with a heap limit. */
export interface Workers {
  /**
   * The result for an input. `timeoutMs` (default 10,000) begins when the thread has imported the module and does not count waiting for a processor, which
   * may make it five times as long. Faults: `blocked` for what took too much time or memory, `busy` when the machine was too busy or the call is over.
   */
  run(module: URL, input: unknown, options: { timeoutMs?: number; heapMb?: number }, cancel: Cancel): Promise<unknown>
  close(): Promise<void>
}

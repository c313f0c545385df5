import { Fault, type ExecOptions, type ExecResult, type ProviderContext } from '../../core/sdk/index.js'
import type { CodeInput } from './contract.js'
import { DISK_MB, fileOf, MEMORY_MB, PROCESSES, runnerFiles, textOf } from './program.js'
import { OUTPUT, STREAM_BYTES, type Run } from './result.js'
import type { GivenFile } from './input-files.js'

/** Limits of a run on this machine, and the output collected from it. */
export function runOptions(input: CodeInput, files: readonly GivenFile[]): ExecOptions {
  const options = callOptions(input, files)
  return {
    ...options,
    files: [...runnerFiles(input.language), ...(options.files ?? [])],
    memoryMb: MEMORY_MB,
    processes: PROCESSES,
    diskMb: DISK_MB,
  }
}

/** The same without the limits applied when the interpreter was started. */
export function callOptions(input: CodeInput, files: readonly GivenFile[]): ExecOptions {
  return {
    files: [{ name: fileOf(input.language), data: Buffer.from(textOf(input)) }, ...files],
    timeoutMs: input.timeout * 1000,
    maxOutput: STREAM_BYTES,
    collect: OUTPUT,
  }
}

/** The run reported by the sandbox runner. Throws Fault `busy` for a run that ended with the call, before its own limit. */
export function runOf(result: ExecResult, context: Pick<ProviderContext, 'timeLeft'>): Run {
  if (result.stopped === 'aborted' || (result.stopped === 'time' && context.timeLeft() <= 0))
    throw new Fault('busy', 'The call was over before the program ended.')
  const stopped = result.stopped === 'output' ? null : result.stopped
  return { ...result, stopped }
}

/** True when the tool around a program failed, not the program: its end was not reported, and nothing was killed. */
export function toolFailed({ endSeen, stopped, code }: ExecResult): boolean {
  return endSeen === false && stopped === null && code <= 128
}

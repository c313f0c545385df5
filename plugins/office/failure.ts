import { programFault } from '../_shared/program-fault.js'
import type { ExecResult, Fault } from '../../core/sdk/index.js'

interface Run {
  /** Why the program ended without a result, in this engine's words; null when it can only be the file. */
  readonly why?: string | null
  readonly from: string
  /** Milliseconds left of the call. */
  readonly timeLeft: number
  /** The caller's input field of the file. */
  readonly loc?: readonly string[]
}

/** Exit code of Haskell programs with a full heap. */
const OUT_OF_HEAP = 251

/**
 * The Fault for a program that produced no result. After a timeout, a memory limit or a crash the next engine gets
 * the file; a fault of the file itself ends the call.
 */
export function failureOf(result: ExecResult, { why = null, from, timeLeft, loc }: Run): Fault {
  const full = result.code === OUT_OF_HEAP && result.stopped === null
  return programFault(full ? { ...result, stopped: 'memory' } : result, {
    done: 'converted',
    refused: why ?? `The file cannot be read: it is damaged, protected by a password, or no ${from} file.`,
    timeLeft,
    ...(loc === undefined ? {} : { loc }),
  })
}

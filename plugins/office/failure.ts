import { programFault } from '../_shared/program-fault.js'
import type { ExecResult, Fault } from '../../core/sdk/index.js'

interface Run {
  /** What made the program end without a result, in the words of this engine; null when only the file can be meant. */
  readonly why?: string | null
  readonly from: string
  /** Milliseconds that the call has left. */
  readonly timeLeft: number
  /** The field of the caller's input that the file is from. */
  readonly loc?: readonly string[]
}

/** Code of programs in Haskell whose heap is full. */
const OUT_OF_HEAP = 251

/**
 * Why a program gave no result for a file. What this engine has no time or memory for, and a program that crashed, leave the file to the next
 * engine; what is wrong with the file itself ends the call.
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

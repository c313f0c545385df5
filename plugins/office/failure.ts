import { Fault, type ExecResult } from '../../core/sdk/index.js'

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
/** Codes from here on say that a signal ended the program: a crash, or somebody. */
const SIGNALLED = 129

/**
 * Why a program gave no result for a file. What this engine has no time or memory for, and a program that crashed, leave the file to the next
 * engine; what is wrong with the file itself ends the call.
 */
export function failureOf({ code, stopped, stderr }: ExecResult, { why = null, from, timeLeft, loc }: Run): Fault {
  const internal = `code ${String(code)}: ${Buffer.from(stderr).toString('utf8').slice(-500)}`
  const about = { internal, ...(loc === undefined ? {} : { loc: [...loc] }) }
  if (stopped === 'aborted' || (stopped === 'time' && timeLeft <= 0))
    return new Fault('busy', 'The call was over before the file was converted.', { internal })
  if (stopped === 'time') return new Fault('missing', 'The file takes longer to convert than a file may.', { ...about, costly: true })
  if (code >= SIGNALLED && code !== OUT_OF_HEAP && stopped === null)
    return new Fault('broken', 'The program was ended while it converted the file.', { internal })
  if (stopped === 'memory' || code === OUT_OF_HEAP)
    return new Fault('missing', 'The file takes more memory to convert than a file may.', { ...about, costly: true })
  return new Fault('invalid', why ?? `The file cannot be read: it is damaged, protected by a password, or no ${from} file.`, about)
}

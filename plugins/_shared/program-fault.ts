import { type ExecResult, Fault } from '../../core/sdk/index.js'

/** The task of a program and its file. */
export interface ProgramWork {
  /** Past participle for the error sentence, such as `converted`. */
  readonly done: string
  /** The message when the program itself rejects the file. */
  readonly refused: string
  /** The subject of the sentence, default `The file`. */
  readonly subject?: string
  /** Milliseconds that are left of the call. */
  readonly timeLeft: number
  /** No other program reads such files: a timeout, the memory limit or a crash then counts as a fault of the file. */
  readonly alone?: boolean
  /** Where the file is in the input. */
  readonly loc?: readonly string[]
}

/** Exit codes from here on mean that the program was killed by a signal. */
const SIGNALLED = 129
const KEPT = 500

/**
 * The Fault for a program that produced no result. `busy` when the call was over; `missing` and costly at the
 * program's limit of time or memory, and `broken` and costly after a crash, since another program may succeed
 * (`invalid` where there is none); otherwise the file is `invalid`. A timeout is final: the next program would have
 * its own.
 */
export function programFault({ code, stopped, stderr }: ExecResult, work: ProgramWork): Fault {
  const { done, refused, timeLeft, subject = 'The file', alone = false, loc } = work
  const options = {
    internal: `code ${String(code)}: ${Buffer.from(stderr).toString('utf8').slice(-KEPT)}`,
    ...(loc === undefined ? {} : { loc }),
  }
  if (stopped === 'aborted' || (stopped === 'time' && timeLeft <= 0))
    return new Fault('busy', `The call was over before the file was ${done}.`, { internal: options.internal })
  const limit = stopped === 'time' || stopped === 'memory' ? stopped : null
  if (limit !== null) {
    const more = limit === 'time' ? 'more time' : 'more memory'
    return new Fault(alone ? 'invalid' : 'missing', `${subject} takes ${more} to be ${done} than a file may.`, {
      ...options,
      costly: true,
      final: limit === 'time',
    })
  }
  if (code < SIGNALLED || stopped !== null) return new Fault('invalid', refused, options)
  if (alone) return new Fault('invalid', refused, { ...options, costly: true })
  return new Fault('broken', `The program was ended before the file was ${done}.`, { internal: options.internal, costly: true })
}

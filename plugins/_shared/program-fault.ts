import { type ExecResult, Fault } from '../../core/sdk/index.js'

/** What a program was to do with a file. */
export interface ProgramWork {
  /** In words for a sentence, such as `converted`. */
  readonly done: string
  /** Why there is no result when the program itself refused the file. */
  readonly refused: string
  /** What is spoken of, default `The file`. */
  readonly subject?: string
  /** Milliseconds that are left of the call. */
  readonly timeLeft: number
  /** Nothing else reads such files: what takes too much time or memory, or ends the program, is then a fault of the file. */
  readonly alone?: boolean
  /** Where the file is in the input. */
  readonly loc?: readonly string[]
}

/** Codes from here on say that a signal ended the program: a crash, or somebody. */
const SIGNALLED = 129
const KEPT = 500

/**
 * Why a program gave no result for a file. `busy` when the call was over; `missing` and costly when the program reached its limit of time or memory, and
 * `broken` and costly when it crashed, since another program may do it (`invalid` where there is none); otherwise the file is `invalid`. A limit of time is
 * final: the next program would have its own.
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

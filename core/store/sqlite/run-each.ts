import { trusted } from '../../sdk/trusted.js'
import { StoreUnavailable } from '../types.js'
import type { Call, Failure, Results } from './batch.js'
import type { Commands } from './commands.js'
import { mapFailure } from './failure.js'

/** A failure as sent to the calling thread. */
export function failureOf(error: unknown, index: number): Failure {
  const mapped = mapFailure(error)
  const { name, message } = mapped
  const { sent, full } = mapped instanceof StoreUnavailable ? mapped : { sent: true, full: false }
  return { index, name, message, sent, full }
}

/** Runs one command with the caller's arguments, which the compiler checked there. */
export function runCall(commands: Commands, call: Call): unknown {
  return trusted<(...args: readonly unknown[]) => unknown>(commands[call.name])(...call.args)
}

/** Runs the calls in order; a failed one has a failure and no value. */
export function runEach(calls: readonly Call[], run: (call: Call) => unknown): Results {
  const failures: Failure[] = []
  const values = calls.map((call, index) => {
    try {
      return run(call)
    } catch (error) {
      failures.push(failureOf(error, index))
      return null
    }
  })
  return { values, failures }
}

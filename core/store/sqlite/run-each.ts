import { StoreUnavailable } from '../types.js'
import { typesWereChecked, type Call, type Failure, type Results, type Untyped } from './batch.js'
import type { Commands } from './commands.js'
import { mapFailure } from './failure.js'

/** A failure in the form in which it leaves the thread. */
export function failureOf(error: unknown, index: number): Failure {
  const mapped = mapFailure(error)
  const { name, message } = mapped
  const { sent, full } = mapped instanceof StoreUnavailable ? mapped : { sent: true, full: false }
  return { index, name, message, sent, full }
}

/** Runs one command with the arguments it was called with. */
export function runCall(commands: Commands, call: Call): unknown {
  const command: (...args: readonly Untyped[]) => unknown = commands[call.name]
  if (!typesWereChecked(call.args)) throw new TypeError(`arguments of ${call.name} are no list`)
  return command(...call.args)
}

/** Runs one call after the other; those that fail have a failure and no value. */
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

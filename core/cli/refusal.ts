import { Failure, UsageError } from './failure.js'
import { fieldOf, textOf } from './record.js'

/** What the admin API refused, in the words of its problem; a wrong argument is wrong usage of the command too. */
export function adminRefusal(body: unknown, status: number): Error {
  const problem = fieldOf(body, 'error')
  const detail = textOf(problem, 'detail') ?? `the gateway answered ${status}`
  return textOf(problem, 'type')?.endsWith('/validation-failed') === true ? new UsageError(detail) : new Failure(detail, body)
}

import { CATALOGUE } from '../../../core/problems/catalogue.js'
import { exitCodeOf } from './exit-codes.js'
import { Failure, UsageError } from './failure.js'
import { printable } from './printable.js'
import { fieldOf, textOf } from './record.js'

/** The error for a refusal of the admin API; invalid arguments are a UsageError. */
export function adminRefusal(body: unknown, status: number): Error {
  const problem = fieldOf(body, 'error')
  const detail = textOf(problem, 'detail') ?? `the gateway answered ${status}`
  return textOf(problem, 'type')?.endsWith('/validation-failed') === true ? new UsageError(detail) : new Failure(detail, body)
}

/** Most attempts to print. */
const MOST_ATTEMPTS = 12

/**
 * The Failure of a refused call, with the exit code of its error: title, detail or the invalid fields, how each vendor failed, remedy, request
 * id. Nothing is repeated.
 */
export function refusal(envelope: unknown, status: number): Failure {
  const problem = fieldOf(envelope, 'error')
  const detail = textOf(problem, 'detail')
  const faults = faultsOf(fieldOf(envelope, 'detail'))
  const fields = faults.filter(({ path }) => path !== '')
  const isListed = faults.length > 0 && detail !== null && faults.every(({ says }) => detail.includes(says))
  const id = textOf(fieldOf(envelope, 'metadata'), 'request_id') ?? textOf(envelope, 'request_id')
  const own = fieldOf(problem, 'status')
  const remedy = remedyOf(problem, status)
  const lines = [
    `${textOf(problem, 'title') ?? 'the gateway refused the call'} (${typeof own === 'number' ? own : status})`,
    ...(detail === null || (isListed && fields.length > 0) ? [] : [detail]),
    ...fields.map(({ path, says }) => `  ${path}: ${says}`),
    ...attemptsOf(fieldOf(fieldOf(envelope, 'metadata'), 'attempts'), detail),
    ...(remedy === null ? [] : [`remedy: ${remedy}`]),
    ...(id === null ? [] : [`request ${id}`]),
  ]
  return new Failure(lines.join('\n'), envelope, exitCodeOf(envelope, status))
}

/** One line for each vendor that was tried, or skipped for another reason than an unsupported input; equal ones once. */
function attemptsOf(list: unknown, detail: string | null): string[] {
  const attempts = (Array.isArray(list) ? list : []).flatMap((attempt: unknown) => {
    const [provider, outcome, reason] = [textOf(attempt, 'provider'), textOf(attempt, 'outcome'), textOf(attempt, 'reason')]
    if (provider === null || reason === null || outcome === 'ok' || (reason === detail && Array.isArray(list) && list.length === 1))
      return []
    return [printable(`  ${provider}: ${outcome ?? 'failed'}: ${reason}`, 500)]
  })
  const lines = [...new Set(attempts)]
  const more = lines.length - MOST_ATTEMPTS
  return [...lines.slice(0, MOST_ATTEMPTS), ...(more > 0 ? [`  and ${more} more, which --json prints`] : [])]
}

/** Faults of fields, with the path of each below the body; `''` for the whole body. */
function faultsOf(list: unknown): { readonly path: string; readonly says: string }[] {
  return (Array.isArray(list) ? list : []).map((fault: unknown) => {
    const loc = fieldOf(fault, 'loc')
    const parts: unknown[] = Array.isArray(loc) ? loc : ['body']
    const [place, ...path] = parts
    return { path: (place === 'body' ? path : [place, ...path]).join('.'), says: textOf(fault, 'msg') ?? 'is wrong' }
  })
}

/** The remedy of a problem, for users of this command; null when the fields are sufficient. */
function remedyOf(problem: unknown, status: number): string | null {
  if (status === 401) return 'CAPSTAN_API_KEY must be a key of this gateway; create one with capstan keys create --account default'
  const remedy = textOf(problem, 'alternative_action')
  return remedy === CATALOGUE['validation-failed'].cure ? null : remedy
}

import { CATALOGUE, isSlug, type Category, type Slug } from '../../../core/problems/catalogue.js'
import { fieldOf, textOf } from './record.js'

/** What each exit code means, as the help and the documentation list it. */
export const EXIT_CODES = [
  [0, 'done'],
  [1, 'failed for another reason, such as a file that cannot be written or an internal error of the gateway'],
  [
    2,
    'used wrongly: an unknown command, option or parameter, or a request that the gateway found invalid (400, 404, 405, 409, 413, 415, 422)',
  ],
  [3, 'refused for the key: missing, wrong, revoked or not allowed (401, 403)'],
  [4, 'not enough credits (402)'],
  [5, 'the target refused the request, or nothing was found (422 target-blocked, no-result)'],
  [6, 'the providers failed, or none is configured (502, 504, 503 capability-unavailable)'],
  [
    7,
    'may succeed later: too many requests (429), an overloaded gateway (503), a target that is away (502 target-unavailable), or no gateway at the address',
  ],
] as const

/** A code of the table above. */
export type ExitCode = (typeof EXIT_CODES)[number][0]

/** No gateway answers, or its answer ended early. */
export const LATER: ExitCode = 7

const OF_CATEGORY: Readonly<Record<Category, ExitCode>> = {
  internal: 1,
  invalid_request: 2,
  authentication: 3,
  insufficient_credits: 4,
  target_blocked: 5,
  provider: 6,
  transient: 7,
}

/** Errors whose code does not depend on their category, which names them transient where the providers were busy or slow. */
const OF_SLUG: Readonly<Partial<Record<Slug, ExitCode>>> = { 'providers-failed': 6, 'deadline-exceeded': 6 }

/**
 * The exit code for an envelope that reports an error: by the type of the error where it has a code of its own, else by the category that the
 * envelope names, else by that of the type, else by the HTTP status.
 */
export function exitCodeOf(envelope: unknown, status: number): ExitCode {
  const problem = fieldOf(envelope, 'error')
  const slug = textOf(problem, 'type')?.split('/').at(-1) ?? ''
  const known = isSlug(slug) ? slug : null
  const category = textOf(problem, 'error_category')
  const own = known === null ? undefined : OF_SLUG[known]
  if (own !== undefined) return own
  if (category !== null && isCategory(category)) return OF_CATEGORY[category]
  if (known !== null) return OF_CATEGORY[CATALOGUE[known].category]
  if (status === 401 || status === 403) return 3
  if (status === 402) return 4
  if (status === 429 || status === 503) return LATER
  if (status === 502 || status === 504) return 6
  return status >= 400 && status < 500 ? 2 : 1
}

function isCategory(text: string): text is Category {
  return Object.hasOwn(OF_CATEGORY, text)
}

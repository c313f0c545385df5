import { toCredits } from '../store/amount.js'
import { providersTried, type TokenUse } from '../dispatch/call.js'
import type { Attempt } from '../telemetry/types.js'
import { problemBody, type Problem, type ProblemBody, type ValidationItem } from '../problems/problem.js'
import type { Milli } from '../store/types.js'

/** Metadata of a call for its answer. */
export interface Account {
  readonly requestId: string
  readonly ms: number
  readonly attempts: readonly Attempt[]
  readonly notes: readonly string[]
  /** Tokens of language models; absent when no work began. */
  readonly usage?: readonly TokenUse[]
  readonly providerUsed: string | null
  readonly modeUsed: string | null
  /** Null without an authenticated caller. */
  readonly balance: Milli | null
}

interface Metadata {
  provider_used: string | null
  providers_tried: string[]
  mode_used: string | null
  response_time_ms: number
  request_id: string
  attempts: readonly Attempt[]
  /**
   * Balance at the hold less the price, since the envelope is built and kept before the charge. With parallel calls
   * only the header `X-Credits-Balance`, set from the charge, is exact.
   */
  credits_balance?: number
  notes?: readonly string[]
  usage?: readonly TokenUse[]
}

/** The answer of every capability and of every error. */
export interface Envelope {
  success: boolean
  data: unknown
  error: ProblemBody | null
  metadata: Metadata
  credits_used: number
  /** Faults of a request's content, all at once. */
  detail?: readonly ValidationItem[]
}

function metadata(account: Account): Metadata {
  const made: Metadata = {
    provider_used: account.providerUsed,
    providers_tried: providersTried(account.attempts),
    mode_used: account.modeUsed,
    response_time_ms: account.ms,
    request_id: account.requestId,
    attempts: account.attempts,
  }
  if (account.balance !== null) made.credits_balance = toCredits(account.balance)
  if (account.notes.length > 0) made.notes = account.notes
  if (account.usage !== undefined && account.usage.length > 0) made.usage = account.usage
  return made
}

/** The envelope of a success. */
export function succeeded(data: unknown, price: Milli, account: Account): Envelope {
  return { success: true, data, error: null, metadata: metadata(account), credits_used: toCredits(price) }
}

/** The envelope of an error; nothing is charged. `base`: the public address that prefixes error types. */
export function failed(problem: Problem, account: Account, base: string): Envelope {
  const { validation } = problem.options
  return {
    success: false,
    data: null,
    error: problemBody(problem, base),
    metadata: metadata(account),
    credits_used: 0,
    ...(validation === undefined ? {} : { detail: validation }),
  }
}

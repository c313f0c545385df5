import { Fault, isRecord, type JobState, poll, provider, type Static, Type } from '../../../core/sdk/index.js'
import { snov as vendor } from '../../_vendors/snov.js'
import { CONFIDENCE } from '../find/confidence.js'
import { findVendors, type FindInput, type FoundAddress } from '../find/contract.js'
import { withToken } from '../find/snov-token.js'
import { answerAt } from '../find/vendor-answer.js'

const TRY_MS = 25_000
const PATH = '/v2/emails-by-domain-by-name'
const FIRST_MS = 1_000
const MOST_MS = 2_000

const Started = Type.Object({ data: Type.Object({ task_hash: Type.String({ minLength: 1 }) }) })
const Task = Type.Object({ status: Type.String(), data: Type.Optional(Type.Unknown()) })
/** A new task is not finished yet: the first poll comes after a pause. */
const BEGUN: Static<typeof Task> = { status: 'in_progress' }

/** A task that is started and polled until it is completed. */
export const snov = provider(findVendors, {
  vendor,
  rank: 40,
  timeoutMs: ({ left_ms }) => Math.min(TRY_MS, left_ms),
  run: async (input, context) => {
    const { first_name, last_name, domain } = input
    const json = { rows: [{ first_name, last_name, domain }] }
    const { data } = await withToken(context, (headers) =>
      context.api.json({ method: 'POST', path: `${PATH}/start`, json, headers }, Started),
    )
    const query = { task_hash: data.task_hash }
    const task = await poll(context, {
      first: BEGUN,
      ask: (own) => withToken(own, (headers) => own.api.json({ path: `${PATH}/result`, query, headers }, Task)),
      read: stateOf,
      firstMs: FIRST_MS,
      mostMs: MOST_MS,
    })
    return answerOf(task, input)
  },
})

function stateOf(task: Static<typeof Task>): JobState<Static<typeof Task>> {
  switch (task.status) {
    case 'completed':
      return { state: 'done', result: task }
    case 'in_progress':
      return { state: 'running', step: 'searching' }
    case 'not_enough_credits':
      return { state: 'failed', fault: new Fault('quota', 'The Snov.io account has no credits left.') }
    default:
      return { state: 'failed', fault: new Fault('broken', 'Snov.io could not do the task.') }
  }
}

/** The first verified address, else the first one. */
function answerOf({ data }: Static<typeof Task>, { domain }: FindInput): FoundAddress | null {
  const rows: readonly unknown[] = Array.isArray(data) ? data : []
  const found = rows
    .flatMap((row): readonly unknown[] => (isRecord(row) && Array.isArray(row['result']) ? row['result'] : []))
    .filter(isRecord)
    .filter(({ smtp_status }) => smtp_status !== 'not_valid')
    .flatMap((each) => answerAt(domain, { email: each['email'], ...judged(each) }) ?? [])
  return found.find(({ verification_status }) => verification_status === 'valid') ?? found[0] ?? null
}

function judged({ smtp_status, unknown_status_reason }: Readonly<Record<string, unknown>>): Pick<FoundAddress, 'confidence'> & {
  readonly status: FoundAddress['verification_status']
} {
  if (smtp_status === 'valid') return { status: 'valid', confidence: CONFIDENCE.vendorValid }
  return unknown_status_reason === 'catchall'
    ? { status: 'catch-all', confidence: CONFIDENCE.vendorCatchAll }
    : { status: 'unknown', confidence: CONFIDENCE.vendorUnknown }
}

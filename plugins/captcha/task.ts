import { Fault, type JobState, poll, type ProviderContext, type Static, Type } from '../../core/sdk/index.js'
import { assertMaySolve, withinDay } from './daily-limit.js'
import type { Captcha, Solved } from './contract.js'
import type { settings } from './settings.js'

/** The common part of 2Captcha's and CapSolver's answers to `createTask` and `getTaskResult`; error codes are read by the vendors. */
const solution = Type.Object({
  gRecaptchaResponse: Type.Optional(Type.String()),
  token: Type.Optional(Type.String()),
  userAgent: Type.Optional(Type.String()),
})
const result = Type.Object({
  status: Type.Optional(Type.String()),
  solution: Type.Optional(Type.Union([solution, Type.Null()])),
  /** US dollars. */
  cost: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
})
const created = Type.Object({
  ...result.properties,
  taskId: Type.Union([Type.Integer(), Type.String({ minLength: 1 })]),
})

type Result = Static<typeof result>
type Context = ProviderContext<Static<typeof settings>>

interface TaskOptions {
  /** The vendor's form of the captcha. */
  readonly task: Readonly<Record<string, unknown>>
  /** Milliseconds between two polls, as the vendor requires. */
  readonly everyMs: number
}

const SECONDS: Readonly<Record<Captcha['kind'], number>> = { recaptcha_v2: 120, recaptcha_v3: 120, turnstile: 300 }
/** Time needed for a second try of an unsolved captcha. */
const SECOND_TRY_MS = 20_000

/**
 * Has a captcha solved; an unsolved one is tried once more while there is time. Throws `missing` when it stays
 * unsolved, or no vendor solves this kind, and `busy` when the account's daily limit is reached.
 */
export async function solve({ kind }: Captcha, options: TaskOptions, context: Context): Promise<Solved> {
  assertMaySolve(context)
  const counted = (): Promise<Solved> => withinDay(context, (made) => once(kind, { ...options, made }, context))
  try {
    return await counted()
  } catch (error) {
    if (!Fault.is(error) || error.kind !== 'missing' || error.status === 404 || context.timeLeft() < SECOND_TRY_MS) throw error
    return await counted()
  }
}

async function once(
  kind: Captcha['kind'],
  { task, everyMs, made }: TaskOptions & { readonly made: () => void },
  context: Context,
): Promise<Solved> {
  const first = await context.api.json({ method: 'POST', path: '/createTask', json: { task } }, created)
  made()
  const done = await poll<Static<typeof settings>, Result, Result>(context, {
    first,
    ask: (own) => own.api.json({ method: 'POST', path: '/getTaskResult', json: { taskId: first.taskId } }, result),
    read: stateOf,
    firstMs: everyMs,
    factor: 1,
    mostMs: everyMs,
  })
  const token = done.solution?.gRecaptchaResponse ?? done.solution?.token
  if (token === undefined || token === '') throw new Fault('broken', 'The vendor answered a solved captcha without its token.')
  if (done.cost !== undefined && done.cost !== null) context.cost(Number(done.cost), 'USD')
  return { token, user_agent: done.solution?.userAgent ?? null, expires_in: SECONDS[kind] }
}

function stateOf(reply: Result): JobState<Result> {
  if (reply.status === 'ready') return { state: 'done', result: reply }
  if (reply.status === 'failed') return { state: 'failed', fault: new Fault('missing', 'The captcha could not be solved.') }
  return { state: 'running', step: 'solving a captcha' }
}

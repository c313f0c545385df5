import { Fault, type JobState, type Pace, poll, provider, Type, vendor } from '../../core/sdk/index.js'
import type { JobReply } from '../../core/sdk/testkit/polling-vendor.js'
import { HandClock } from './outbound.js'
import { echo, loadedProvider } from './test-plugin.js'

export const RUNNING: JobReply = { json: { status: 'running', percent: 0, text: '' } }
export const DONE: JobReply = { json: { status: 'done', percent: 100, text: 'from the job' } }
export const FAILED: JobReply = { json: { status: 'failed', percent: 0, text: 'the file is broken' } }

const State = Type.Object({
  status: Type.String(),
  percent: Type.Number(),
  text: Type.String(),
  wait: Type.Optional(Type.Number()),
})

function stateOf({ status, percent, text, wait }: { status: string; percent: number; text: string; wait?: number }): JobState<string> {
  if (status === 'done') return { state: 'done', result: text }
  if (status === 'failed') return { state: 'failed', fault: new Fault('invalid', `The vendor said: ${text}.`) }
  return { state: 'running', step: 'converting', done: percent, total: 100, ...(wait === undefined ? {} : { waitMs: wait }) }
}

/** A provider of the test capability that makes a job and waits for it. */
export function jobProvider(url: string, { timeoutMs, pace }: { readonly timeoutMs?: number; readonly pace?: Pace } = {}) {
  const contribution = provider(echo, {
    vendor: vendor({ id: 'jobs', title: 'Jobs', ...(pace === undefined ? {} : { pace }) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    run: async ({ text }, context) => {
      const { id } = await context.api.json({ method: 'POST', path: '/jobs', json: { text } }, Type.Object({ id: Type.String() }))
      return {
        text: await poll(context, {
          ask: (own) => own.api.json({ path: `/jobs/${id}` }, State),
          read: stateOf,
          cancel: (own) => own.api.text({ method: 'DELETE', path: `/jobs/${id}` }),
        }),
      }
    },
  })
  return loadedProvider(contribution, { baseUrl: url })
}

/** A clock moved by hand that reports when somebody begins to wait. */
export class WaitedClock extends HandClock {
  readonly waits: number[] = []
  #seen = 0
  #watchers: (() => void)[] = []

  override after(ms: number, callback: () => void): () => void {
    this.waits.push(ms)
    for (const watcher of this.#watchers.splice(0)) watcher()
    return super.after(ms, callback)
  }

  /** Resolves once a wait of exactly so long has begun since the last one that was passed, and passes it. */
  async pass(ms: number): Promise<void> {
    for (;;) {
      const index = this.waits.indexOf(ms, this.#seen)
      if (index !== -1) {
        this.#seen = index + 1
        break
      }
      await new Promise<void>((resolve) => void this.#watchers.push(resolve))
    }
    this.advance(ms)
  }
}

import type { Cancel } from '../runtime/cancel.js'
import { Fault, type WarmProgram } from '../sdk/index.js'
import { Capture } from './streams.js'
import type { SandboxHost } from './host.js'
import { jobSpec } from './job-spec.js'
import { startJob, type SandboxJob } from './job.js'
import { type JobOwner, takeLease, type UserLease } from './lease.js'
import { type JobLimits, LONGEST_MS } from './limits.js'
import { NO_NETWORK, proxiedNetwork } from './network.js'

/** A sandbox whose program is started before its job. */
export interface WarmSandbox {
  readonly job: SandboxJob
  readonly lease: UserLease
  /** Its limits, whatever its job; `timeoutMs` limits the processor time of its processes. */
  readonly limits: JobLimits
  /** Whether the program became ready in time; otherwise it is ended. Never rejects. */
  readonly ready: Promise<boolean>
  /** The beginning of what the start wrote to standard error. */
  readonly startOutput: () => string
  /** Called when the sandbox ends by itself. */
  onEnd(listener: () => void): void
  /** Keeps its user and its group until `end`, even when it ends by itself. */
  hold(): void
  /** Ends it and releases its user and its group. */
  end(): void
}

/** Default size of the job folder of a warm program, in MiB. */
export const DISK_MB = 256
const START_MS = 60_000
const SAID_BYTES = 500

/**
 * Starts a program in its own sandbox. Its start is short and callers may wait for it: without an owner it runs at
 * normal priority. Throws as `takeLease`, and Fault `broken` when a folder must not be visible.
 */
export async function startWarm(host: SandboxHost, warm: WarmProgram, program: string, owner: JobOwner): Promise<WarmSandbox> {
  const limits = {
    memoryMb: warm.memoryMb ?? 512,
    processes: warm.processes ?? 128,
    diskMb: warm.diskMb ?? DISK_MB,
    timeoutMs: LONGEST_MS,
  }
  const lease = takeLease(host, limits, owner)
  try {
    const network = warm.network === true ? await proxiedNetwork(host, lease.uid) : NO_NETWORK
    const { args, env = {}, readOnly = [], files = [] } = warm
    const inside = files.map(({ name, text }) => ({ name, data: Buffer.from(text) }))
    const job = startJob(jobSpec(host, lease, { program, args, env, limits, readOnly, network, files: inside, warm }))
    return follow(host, warm, { job, lease, limits })
  } catch (error) {
    lease.done()
    throw error
  }
}

function follow(host: SandboxHost, warm: WarmProgram, parts: Pick<WarmSandbox, 'job' | 'lease' | 'limits'>): WarmSandbox {
  const { job, lease } = parts
  let [held, given] = [false, false]
  const releaseLease = (): void => {
    if (!given) lease.done()
    given = true
  }
  // Read from the beginning, so that output of the start is not taken for output of the job.
  const startOutput = new Capture(job.stderr, { max: SAID_BYTES, limit: Infinity, onLimit: () => undefined })
  const listeners: (() => void)[] = []
  const stop = host.clock.after(warm.startMs ?? START_MS, () => job.kill())
  const ready = job.started.then((started) => {
    stop()
    return started
  })
  void job.ended.then(() => {
    if (!held) releaseLease()
    for (const listener of listeners) listener()
  })
  return {
    ...parts,
    ready,
    startOutput: () => startOutput.bytes().toString('utf8').trim(),
    onEnd: (listener) => void listeners.push(listener),
    hold: () => void (held = true),
    end: () => {
      job.kill()
      void job.ended.then(releaseLease)
    },
  }
}

/** Waits until it is ready. Throws Fault `broken` when it does not become ready, `busy` when the call ends before. */
export async function becomesReady({ ready, startOutput }: WarmSandbox, warm: WarmProgram, cancel: Cancel): Promise<void> {
  const isReady = await new Promise<boolean | 'over'>((resolve) => {
    const forget = cancel.onCancel(() => resolve('over'))
    void ready.then(resolve).finally(forget)
  })
  if (isReady === 'over') throw new Fault('busy', 'the call was over before the program had started')
  if (!isReady)
    throw new Fault('broken', `the program ${warm.program} did not start in time`, {
      internal: `warm program ${warm.id}: ${startOutput()}`,
    })
}

import { fileURLToPath } from 'node:url'
import { Cancel } from '../runtime/cancel.js'
import type { ResidentOptions, ResidentProgram } from '../sdk/index.js'
import type { SandboxHost } from './host.js'
import { jobSpec, type JobWork } from './job-spec.js'
import { type SandboxJob, startJob } from './job.js'
import { type JobOwner, takeLease, type UserLease } from './lease.js'
import { LONGEST_MS } from './limits.js'
import { Supervisor } from './watchdog.js'
import { codeFolders } from './view.js'

const LONGEST_ERRORS = 2_000

/** Starts a program with its own user and group, released when the start fails. Throws as `takeLease`. */
export function startLeased(host: SandboxHost, work: JobWork, owner: JobOwner): { job: SandboxJob; lease: UserLease } {
  const lease = takeLease(host, work.limits, owner)
  try {
    return { job: startJob(jobSpec(host, lease, work)), lease }
  } catch (error) {
    lease.done()
    throw error
  }
}

/** Starts a program without network that stays until it ends or is killed. Throws as `startLeased`. */
export function startResident(
  host: SandboxHost,
  { program, args }: { program: string; args: readonly string[] },
  { module, env = {}, readOnly = [], memoryMb = 512 }: ResidentOptions,
): ResidentProgram {
  const limits = { memoryMb, processes: 64, diskMb: 64, timeoutMs: LONGEST_MS }
  const words = module === undefined ? args : [fileURLToPath(module), ...args]
  const shown = [...(module === undefined ? [] : codeFolders(module)), ...readOnly]
  const { job, lease } = startLeased(host, { program, args: words, env, limits, readOnly: shown }, 'many')
  let [errors, stopped]: [string, 'time' | 'memory' | null] = ['', null]
  job.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString('utf8')).slice(-LONGEST_ERRORS)))
  return {
    output: job.stdout,
    write: (bytes) => new Promise((resolve) => job.stdin.write(bytes, () => resolve())),
    during: async (timeoutMs, work) => {
      const cancel = new Cancel(host.clock, host.clock.monotonic() + timeoutMs)
      const supervisor = new Supervisor(host.clock, job, lease, { limits: { ...limits, timeoutMs }, cancel })
      try {
        return await work()
      } finally {
        supervisor.done()
        if (supervisor.stopped === 'time' || supervisor.stopped === 'memory') stopped = supervisor.stopped
      }
    },
    stopped: () => stopped,
    errors: () => errors.trim(),
    kill: () => job.kill(),
    ended: job.ended.then(() => {
      if (lease.group?.outOfMemory() === true) stopped ??= 'memory'
      lease.done()
    }),
  }
}

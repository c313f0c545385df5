import { setTimeout } from 'node:timers/promises'
import type { JobGroup } from './cgroup.js'
import { watchPriority } from './group-priority.js'
import type { SandboxHost } from './host.js'
import { groupLimits } from './limits.js'
import type { JobLimits } from './limits.js'

/** The host user and the control group of one job. */
export interface UserLease {
  readonly uid: number | null
  /** Null where no control group can be created. */
  readonly group: JobGroup | null
  /** Counts it as a job of an account from now on. */
  readonly serve: (account: string) => void
  /** Releases both as soon as the last process has ended; the host's close waits for that. */
  readonly done: () => void
}

const RETRY_MS = 20
const RETRIES = 250
const KILL_AFTER = 10

/** Owner of a job: an account; `many` callers, which starts in the background; the gateway by default; `none` yet, which is not watched. */
type JobOwner = { readonly account: string } | 'many' | 'gateway' | 'none'

/** Takes a user and creates a group with the limits. Throws when either is impossible. */
export function takeLease(host: SandboxHost, limits: JobLimits, owner: JobOwner = 'gateway'): UserLease {
  const uid = host.users.take()
  try {
    const group = host.groups.controllers.size === 0 ? null : host.groups.create(host.nextName(), groupLimits(limits))
    let unwatch = watched(host, group, owner)
    const serve = (account: string): void => {
      void unwatch()
      unwatch = watched(host, group, { account }, true)
    }
    const done = (): void => {
      const ending = unwatch()
        .then(() => release(host, uid, group))
        .finally(() => host.ending.delete(ending))
      host.ending.add(ending)
    }
    return { uid, group, serve, done }
  } catch (error) {
    host.users.release(uid)
    throw error
  }
}

/** `anew` is for a group that was watched before: its earlier use does not count against this owner. */
function watched({ clock, use, log }: SandboxHost, group: JobGroup | null, owner: JobOwner, anew = false): () => Promise<void> {
  const processors = group?.processors ?? null
  if (processors === null || owner === 'none') return () => Promise.resolve()
  const account = typeof owner === 'string' ? null : owner.account
  const isHeavy = owner === 'many' || (account !== null && use.isMuch(account))
  return watchPriority(clock, processors, {
    begins: isHeavy ? 'background' : 'usual',
    anew,
    onUsed: (ms) => (account === null ? undefined : use.add(account, ms)),
    onError: (error) => log('the priority of a program could not be set', { error: String(error) }),
  })
}

async function release(host: SandboxHost, uid: number | null, group: JobGroup | null): Promise<void> {
  try {
    for (let tries = 0; group !== null && !group.tryRemove(); tries++) {
      if (tries === RETRIES) throw new Error(`still in use: ${group.folders.join(', ')}`)
      if (tries === KILL_AFTER) group.kill()
      await setTimeout(RETRY_MS)
    }
    host.users.release(uid)
  } catch (error) {
    // The user stays reserved: a process of the job may still be alive.
    host.log('a control group of the sandbox could not be removed', { error: String(error) })
  }
}

import type { Clock } from '../runtime/clock.js'
import type { GroupProcessors, JobGroup } from './cgroup.js'
import { setTimeout } from 'node:timers/promises'
import type { SandboxHost } from './host.js'
import { groupLimits, type JobLimits } from './limits.js'

/** Use in processors, over about a second: above `MUCH` a group goes to the background, below `LITTLE` it returns. */
const MUCH = 0.5
const LITTLE = 0.1
const TICK_MS = 250
/** Longest interval between measurements of an idle group, by state; idle groups are measured less and less often. */
const LONGEST_MS = { usual: 1_000, background: 4_000 }
/** Weight of the latest quarter of a second against all before. */
const LATEST = 0.25

export interface PriorityOptions {
  readonly begins: 'usual' | 'background'
  /** The group was watched before: its earlier use is not reported, and whether it is in the background is unknown. */
  readonly anew?: boolean
  /** Called with the processor time that the group used since the last call, in milliseconds. */
  readonly onUsed: (ms: number) => void
  readonly onError: (error: unknown) => void
}

/**
 * Puts a group into the background while it uses much of a processor, so that a job of one caller does not delay the gateway and the
 * short jobs of others. A group that gets too little there returns by itself, so it never starves. The returned function ends the watch
 * with a last measurement.
 */
export function watchPriority(
  clock: Clock,
  processors: GroupProcessors,
  { begins, anew = false, onUsed, onError }: PriorityOptions,
): () => Promise<void> {
  let ended = false
  let waitMs = TICK_MS
  let low = begins === 'background'
  let rate = low ? MUCH : 0
  let before = { at: clock.monotonic(), used: 0 }
  /** Processor time used since the last measurement, and the milliseconds since then. */
  const measure = async (): Promise<{ used: number; elapsed: number } | null> => {
    const used = await processors.usedMs()
    if (used === null) return null
    const at = clock.monotonic()
    const since = { used: Math.max(0, used - before.used), elapsed: at - before.at }
    before = { at, used }
    onUsed(since.used)
    return since
  }
  const tick = async (): Promise<void> => {
    const since = await measure()
    if (since === null || ended) return
    const { used, elapsed } = since
    if (elapsed > 0) rate += (used / elapsed - rate) * (1 - (1 - LATEST) ** (elapsed / TICK_MS))
    waitMs = used > 0 ? TICK_MS : Math.min(waitMs * 2, LONGEST_MS[begins])
    const wanted = used === 0 && begins === 'background' ? true : rate > (low ? LITTLE : MUCH)
    if (wanted !== low) await processors.background((low = wanted))
    if (!ended) again()
  }
  const again = (): void => {
    stop = clock.after(waitMs, () => void tick().catch(onError))
  }
  let stop = (): void => undefined
  const begin = async (): Promise<void> => {
    const used = anew ? await processors.usedMs() : null
    if (used !== null) before = { at: clock.monotonic(), used }
    if (low || anew) await processors.background(low)
  }
  void begin().catch(onError)
  again()
  return async () => {
    ended = true
    stop()
    await measure().catch(onError)
  }
}

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

/** Owner of a job: an account; `many` callers, which starts in the background; `none` yet, which is not watched. */
export type JobOwner = { readonly account: string } | 'many' | 'none'

/** Takes a user and creates a group with the limits. Throws when either is impossible. */
export function takeLease(host: SandboxHost, limits: JobLimits, owner: JobOwner): UserLease {
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
  const isHeavy = owner === 'many' || (account !== null && use.isHeavy(account))
  return watchPriority(clock, processors, {
    begins: isHeavy ? 'background' : 'usual',
    anew,
    onUsed: (ms) => (account === null ? undefined : use.add(account, ms)),
    onError: (error) => log('the priority of a program could not be set', { error: String(error) }),
  })
}

async function release(host: SandboxHost, uid: number | null, group: JobGroup | null): Promise<void> {
  try {
    for (let tries = 0; group !== null && !(await group.tryRemove()); tries++) {
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

import { rm } from 'node:fs/promises'
import { Fault, type ResourceHost, type Static } from '../../core/sdk/index.js'
import { launch, prepare, type LaunchSandbox, type LaunchOptions, type Started } from './launch.js'
import { BrowserPool } from './pool.js'
import type { settings } from './settings.js'

interface BrowsersOptions {
  /** Candidate programs; the first installed one is started. */
  readonly programs: readonly string[]
  readonly options: LaunchOptions
}

/** A start that fails within this time, in milliseconds, is retried. */
const FAILED_AT_ONCE_MS = 5_000

/** A pool of browsers of one kind, each slot with its own sandbox. Rejects at once without a browser or a sandbox. */
export async function openBrowsers(
  host: ResourceHost<Static<typeof settings>>,
  { programs, options }: BrowsersOptions,
): Promise<BrowserPool> {
  const sandboxes = new Map([[0, Promise.resolve(await prepare(host, programs))]])
  const sandboxOf = (slot: number): Promise<LaunchSandbox> => {
    const known = sandboxes.get(slot)
    if (known !== undefined) return known
    const made = prepare(host, programs)
    sandboxes.set(slot, made)
    made.catch(() => sandboxes.delete(slot))
    return made
  }
  /** A sandbox in which a browser did not start is discarded: a missing folder, socket or control group does not come back. */
  const giveUp = async (slot: number, sandbox: LaunchSandbox): Promise<void> => {
    if ((await sandboxes.get(slot)?.catch(() => null)) === sandbox) sandboxes.delete(slot)
    // The gateway releases the resources of removed launchers.
    await rm(sandbox.launcher, { force: true })
  }
  const started = async (count: number, slot: number, again: boolean): Promise<Started> => {
    const sandbox = await sandboxOf(slot)
    const began = performance.now()
    try {
      return await launch(sandbox, count, options)
    } catch (error) {
      await giveUp(slot, sandbox)
      if (!again || performance.now() - began > FAILED_AT_ONCE_MS) throw error
      host.log('the browser did not start, and is started again in another sandbox', {
        slot,
        reason: Fault.is(error) ? error.internal : String(error),
      })
      return await started(count, slot, false)
    }
  }
  const { pages, browsers, uses, lifetime, idle } = host.settings
  return new BrowserPool(
    (count, slot) => started(count, slot, true),
    { pages, browsers, uses, lifetimeMs: lifetime * 1000, idleMs: idle * 1000 },
    (message, fields) => host.log(message, fields),
  )
}

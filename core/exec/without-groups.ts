import { Unavailable } from '../dispatch/errors.js'
import type { SandboxHost } from './host.js'

type AccountGuardOptions = Pick<SandboxHost, 'clock' | 'withoutGroups' | 'enabledAccounts'>

const FRESH_MS = 1000

/**
 * A check before each program of a caller whose memory nothing bounds: with more than one account enabled it rejects with Unavailable,
 * which names the setting, because one account's program could take the memory of all; providers that need no programs are asked instead.
 * Counts at most once a second.
 */
export function accountGuard({ clock, withoutGroups = 'allow', enabledAccounts }: AccountGuardOptions): () => Promise<void> {
  if (withoutGroups === 'allow' || enabledAccounts === undefined) return () => Promise.resolve()
  let counted: { readonly at: number; readonly number: Promise<number> } | null = null
  return async () => {
    const now = clock.monotonic()
    if (counted === null || now - counted.at >= FRESH_MS) {
      const fresh = { at: now, number: enabledAccounts() }
      counted = fresh
      fresh.number.catch(() => {
        if (counted === fresh) counted = null
      })
    }
    if ((await counted.number) <= 1) return
    throw new Unavailable(
      'sandbox',
      'without a control group the memory of programs is not held wholly, and more than one account is enabled: give the gateway a delegated control group (systemd Delegate=yes, or root), or set sandbox.without_groups to allow',
    )
  }
}

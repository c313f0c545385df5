import type { SandboxHost } from './host.js'

type AccountGuardOptions = Pick<SandboxHost, 'clock' | 'withoutGroups' | 'enabledAccounts'>

const FRESH_MS = 1000

const REFUSAL =
  'without a control group the memory of programs is not held wholly, and more than one account is enabled: give the gateway a delegated control group (systemd Delegate=yes, or root), or set sandbox.without_groups to allow'

/**
 * Why a program of a caller whose memory nothing bounds may not run now, naming the setting; null when it may. With more than one account enabled
 * one account's program could take the memory of all, so that providers that need no programs are asked instead. Counts at most once a second.
 */
export function accountRefusal({ clock, withoutGroups = 'allow', enabledAccounts }: AccountGuardOptions): () => Promise<string | null> {
  if (withoutGroups === 'allow' || enabledAccounts === undefined) return () => Promise.resolve(null)
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
    return (await counted.number) <= 1 ? null : REFUSAL
  }
}

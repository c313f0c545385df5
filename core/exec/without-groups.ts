import type { SandboxHost } from './host.js'

type AccountGuardOptions = Pick<SandboxHost, 'clock' | 'withoutGroups' | 'enabledAccounts'>

const FRESH_MS = 1000

const REFUSAL =
  'without a control group the memory of programs is not fully limited, and more than one account is enabled: give the gateway a delegated control group (systemd Delegate=yes, or root), or set sandbox.without_groups to allow'

/**
 * The reason why a caller's program without a memory limit must not run now, naming the setting; null when it may. With more than one
 * account enabled one account's program could use the memory of all, so providers without programs are used instead. Counts at most once
 * a second.
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

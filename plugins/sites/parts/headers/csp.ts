import type { Finding } from '../security/verdict.js'

/** The directives of one policy; for repeated ones the first. */
type Policy = ReadonlyMap<string, readonly string[]>

/** Sources that match any host. */
const ANYWHERE = new Set(['*', 'http:', 'https:', 'http://*', 'https://*', 'data:'])

/** Content-Security-Policy (level 3). All policies apply together, so one restrictive policy is enough. */
export function cspFindings(header: string | undefined, reportOnly: boolean): Finding[] {
  const policies = policiesOf(header ?? '')
  if (policies.length === 0) {
    const detail = `Content-Security-Policy is missing${reportOnly ? '; one that only reports does not protect' : ''}.`
    return CHECKS.map(({ id }) => ({ id, passed: false, detail }))
  }
  return CHECKS.map(({ id, holds, yes, no }) => {
    const passed = policies.some(holds)
    return { id, passed, detail: passed ? yes : no }
  })
}

/** The sources that may frame the page; null without such a policy. */
export function frameAncestors(header: string | undefined): readonly string[] | null {
  const lists = policiesOf(header ?? '').flatMap((policy) => (policy.has('frame-ancestors') ? [policy.get('frame-ancestors') ?? []] : []))
  // All apply together: one closed policy is enough.
  return lists.find((sources) => !isOpen(sources)) ?? lists[0] ?? null
}

/** True for a source list that allows any host. */
export function isOpen(sources: readonly string[]): boolean {
  return sources.some((source) => ANYWHERE.has(source))
}

const CHECKS: readonly {
  readonly id: Finding['id']
  readonly holds: (policy: Policy) => boolean
  readonly yes: string
  readonly no: string
}[] = [
  {
    id: 'headers.csp',
    holds: (policy) => limitsScripts(policy),
    yes: 'The policy limits where scripts come from.',
    no: 'The policy does not limit where scripts come from.',
  },
  {
    id: 'headers.csp_inline',
    holds: (policy) => scriptSources(policy) !== null && !allowsInline(scriptSources(policy) ?? []),
    yes: 'The policy allows no inline scripts.',
    no: 'The policy allows inline scripts.',
  },
  {
    id: 'headers.csp_eval',
    holds: (policy) => scriptSources(policy)?.includes("'unsafe-eval'") === false,
    yes: 'The policy allows no eval.',
    no: 'The policy allows eval.',
  },
  {
    id: 'headers.csp_base',
    holds: (policy) => policy.has('base-uri') && !isOpen(policy.get('base-uri') ?? []) && limitsObjects(policy),
    yes: 'The policy limits base-uri and plug-ins.',
    no: 'The policy does not limit base-uri and plug-ins.',
  },
]

function limitsScripts(policy: Policy): boolean {
  const sources = scriptSources(policy)
  if (sources === null) return false
  // Supporting browsers ignore hosts and schemes beside it.
  return sources.includes("'strict-dynamic'") || !isOpen(sources)
}

function scriptSources(policy: Policy): readonly string[] | null {
  return policy.get('script-src') ?? policy.get('default-src') ?? null
}

/** A nonce, a hash or 'strict-dynamic' makes browsers ignore 'unsafe-inline'. */
function allowsInline(sources: readonly string[]): boolean {
  const overridden = sources.some((source) => /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic')/.test(source))
  return sources.includes("'unsafe-inline'") && !overridden
}

function limitsObjects(policy: Policy): boolean {
  const sources = policy.get('object-src') ?? policy.get('default-src')
  return sources !== undefined && sources.every((source) => source === "'none'" || source === "'self'")
}

function policiesOf(header: string): Policy[] {
  return header
    .split(',')
    .map(policyOf)
    .filter((policy) => policy.size > 0)
}

function policyOf(text: string): Policy {
  const policy = new Map<string, readonly string[]>()
  for (const piece of text.split(';')) {
    const [name = '', ...sources] = piece
      .trim()
      .split(/\s+/)
      .map((word) => word.toLowerCase())
    if (name !== '' && !policy.has(name)) policy.set(name, sources)
  }
  return policy
}

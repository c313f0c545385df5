/** First segments under /v1 that are reserved for the core. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'account',
  'agent',
  'calls',
  'capabilities',
  'estimate',
  'jobs',
  'keys',
  'openapi.json',
  'playground',
  'tools',
  'webhooks',
])

const PORT_ID = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*$/
const PATH = /^\/v1(?:\/[a-z0-9]+(?:[-_.][a-z0-9]+)*)+$/
const LIST = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const ALIAS = /^[a-z][a-z0-9]*(?:[-_./][a-z0-9]+)*$/

/** Every name by which `/v1/agent` accepts a capability: its id, the id with `_`, `-` or `/` for the dot, its path, its aliases. */
export function spellings(capability: { id: string; path: string; aliases?: readonly string[] }): string[] {
  const { id, path, aliases = [] } = capability
  return [...new Set([id, id.replaceAll('.', '_'), id.replaceAll('.', '-'), id.replaceAll('.', '/'), path, ...aliases])]
}

/** The fault of a port's id, or null. */
export function idFault(id: string): string | null {
  if (!PORT_ID.test(id)) return `the id "${id}" is not dotted words of a-z, 0-9 and _`
  return RESERVED_NAMES.has(id) ? `the id "${id}" is reserved for the gateway` : null
}

/** The fault of a list's name and path, or null. */
export function listPathFault(capability: { id: string; path: string }, name: string, path: string): string | null {
  if (!LIST.test(name)) return `the list "${name}" of ${capability.id} is not lower-case words joined by "-"`
  const [, , word = ''] = capability.path.split('/')
  if (!PATH.test(path) || !path.startsWith(`/v1/${word}/`))
    return `the path "${path}" of the list "${name}" of ${capability.id} does not begin with /v1/${word}/ followed by lower-case words`
  return null
}

/** The fault of a capability's path and aliases, or null. */
export function namesFault(capability: { path: string; aliases?: readonly string[] }): string | null {
  const { path, aliases = [] } = capability
  if (!PATH.test(path)) return `the path "${path}" does not begin with /v1/ followed by lower-case words`
  if (RESERVED_NAMES.has(path.split('/')[2] ?? '')) return `the path "${path}" is reserved for the gateway`
  for (const alias of aliases) {
    if (!ALIAS.test(alias)) return `the alias "${alias}" is not lower-case words`
    if (RESERVED_NAMES.has(alias.split('/')[0] ?? '')) return `the alias "${alias}" is reserved for the gateway`
  }
  return null
}

import { isRecord } from '../../core/sdk/json.js'

/** One call, written for a shell, for the command line and for both client libraries. */
export interface WrittenCall {
  readonly curl: string
  readonly command: string
  readonly python: string
  readonly typescript: string
}

type Params = Readonly<Record<string, unknown>>

/** Methods of the libraries that are not the capability's own name; in Python their first parameter needs no name. */
const CONVENIENT: Readonly<Record<string, { readonly python: string; readonly typescript: string; readonly first: string | null }>> = {
  search: { python: 'search', typescript: 'search', first: 'query' },
  scrape: { python: 'scrape', typescript: 'scrape', first: 'url' },
  research: { python: 'research', typescript: 'research', first: 'query' },
  'emails.verify': { python: 'verify_email', typescript: 'verifyEmail', first: 'email' },
  'emails.find': { python: 'find_emails', typescript: 'findEmails', first: null },
}

const WIDTH = 100

/** The call of a capability with these parameters. `base`: address of the gateway. */
export function writtenCall({ id, path }: { readonly id: string; readonly path: string }, params: Params, base: string): WrittenCall {
  const method = CONVENIENT[id]
  const camel = id.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
  return {
    curl: [
      `curl -s ${base}${path} \\`,
      `  -H "Authorization: Bearer $CAPSTAN_API_KEY" -H 'Content-Type: application/json' \\`,
      `  -d ${quoted(JSON.stringify(params))}`,
    ].join('\n'),
    command: ['./capstan run', id, ...Object.entries(params).map(([name, value]) => argument(name, value))].join(' '),
    python: `client.${method?.python ?? id}(${pythonArguments(params, method?.first ?? null)})`,
    typescript: `await client.${method?.typescript ?? camel}(${javascript(params)})`,
  }
}

/** A word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** `name=value` as `capstan run` reads it. */
function argument(name: string, value: unknown): string {
  if (typeof value === 'string' && !value.startsWith('@') && !/^\s*\[/.test(value)) return `${name}=${quoted(value)}`
  return typeof value === 'object' || typeof value === 'string'
    ? `${name}:=${quoted(JSON.stringify(value))}`
    : `${name}=${JSON.stringify(value)}`
}

function pythonArguments(params: Params, first: string | null): string {
  const all = Object.entries(params).map(([name, value]) => (name === first ? python(value) : `${name}=${python(value)}`))
  // An argument without a name comes before all others.
  const sorted = first !== null && first in params ? all.sort((one, other) => Number(/^\w+=/.test(one)) - Number(/^\w+=/.test(other))) : all
  const line = sorted.join(', ')
  return line.length <= WIDTH ? line : `\n${sorted.map((each) => `    ${each},\n`).join('')}`
}

function python(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (isRecord(value)) {
    const entries = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`)
    return `{${entries.join(', ')}}`
  }
  return JSON.stringify(value)
}

function javascript(params: Params): string {
  const entries = Object.entries(params).map(([name, value]) => `${name}: ${literal(value)}`)
  const line = `{ ${entries.join(', ')} }`
  return line.length <= WIDTH ? line : `{\n${entries.map((each) => `  ${each},\n`).join('')}}`
}

function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const entries = Object.entries(value).map(([name, each]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${literal(each)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

import type { LoadedCapability, Registry } from '../../core/loader/types.js'
import { CATALOGUE, type Slug } from '../../core/problems/catalogue.js'
import { deadlineOf } from '../../core/sdk/index.js'
import { writtenCall } from './calls.js'
import { fieldsOf } from './fields.js'
import { inOrder, isFree, needsOf, portsOf, settingsOf } from './providers.js'
import { table } from './table.js'

/** Address of a gateway with default settings, as examples write it. */
export const BASE = 'http://127.0.0.1:8420'

/** Errors that a capability itself causes; all others are the same on every route. */
const OWN = [
  'validation-failed',
  'insufficient-credits',
  'target-blocked',
  'no-result',
  'too-many-in-flight',
  'providers-failed',
  'target-unavailable',
  'capability-unavailable',
  'overloaded',
  'deadline-exceeded',
] as const satisfies readonly Slug[]

/** File name of the page of a capability. */
export function pageOf(id: string): string {
  return `${id}.md`
}

/** The page of a capability, made of its contract and of the vendors of its ports. */
export function capabilityPage(loaded: LoadedCapability, registry: Registry): string {
  const { capability, plugin } = loaded
  const { id, path, title, description, aliases = [], work = 'light' } = capability
  const names = aliases.length === 0 ? '' : ` Other names: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`
  return (
    [
      `<!-- Generated from the contract of plugins/${plugin} by scripts/generated-pages.mjs. -->`,
      `# ${title}: \`${id}\``,
      description,
      `\`POST ${path}\`, or \`POST /v1/agent\` with \`"capability": "${id}"\`. MCP tool: \`${id.replaceAll('.', '_')}\`.${names}`,
      `## Price\n\n${prices(loaded.prices, capability.price.field)}`,
      `## Parameters\n\n${parameters(loaded)}`,
      `Time limit of a call in seconds: ${deadlineOf(capability)}. Class of work: ${work} ([limits](../configuration.md#classes-of-work)).`,
      `## Result\n\nFields of \`data\`; the rest of an answer is the same for every capability ([answers](../api.md#answers)).\n\n${result(loaded)}`,
      ...lists(loaded),
      `## Errors\n\n${errors()}`,
      `## Examples\n\n${examples(loaded)}`,
      `## Providers\n\n${providers(loaded, registry)}`,
      `More about the engines, limits and measurements: [plugins/${plugin}](../../plugins/${plugin}/README.md).`,
    ].join('\n\n') + '\n'
  )
}

/** A price in words for a table of capabilities: `2`, `1 to 5`. Additions are not counted. */
export function priceRange(prices: Readonly<Record<string, number>>): string {
  const base = Object.entries(prices).flatMap(([row, credits]) => (isAddition(row) ? [] : [credits]))
  const [least, most] = [Math.min(...base), Math.max(...base)]
  return least === most ? String(least) : `${least} to ${most}`
}

/** Whether a capability has a provider that needs no account: by its own port, or by the ports of its handler. */
export function worksAlone(loaded: LoadedCapability, registry: Registry): boolean {
  const [first, ...others] = portsOf(loaded, registry)
  const ports = first === undefined || first.port.id === loaded.capability.id ? [first] : [first, ...others]
  return ports.some((port) => port?.all.some(isFree) ?? false)
}

function isAddition(row: string): boolean {
  return /[=:]/.test(row)
}

function prices(rows: Readonly<Record<string, number>>, field: string | undefined): string {
  const [first, ...rest] = Object.entries(rows)
  if (rest.length === 0 && first !== undefined) return `${credits(first[1])} for each call that succeeds. A failed call costs nothing.`
  const cells = Object.entries(rows).map(([row, amount]) => {
    const [, name = '', operator, value = ''] = /^(\w+)([=:])(.*)$/.exec(row) ?? []
    if (operator === undefined) return [row === 'call' ? 'every call' : `\`${field ?? 'mode'}\` is \`${row}\``, credits(amount)]
    return [`\`${name}\` ${operator === '=' ? 'is' : 'contains'} \`${value}\``, `${amount < 0 ? '' : '+'}${credits(amount)}`]
  })
  return `${table(['when', 'price'], cells)}\n\nFor each call that succeeds; a failed call costs nothing. \`POST /v1/estimate\` gives the price of a call without making it.`
}

function credits(amount: number): string {
  return `${amount} credit${Math.abs(amount) === 1 ? '' : 's'}`
}

function parameters({ input }: LoadedCapability): string {
  const rows = fieldsOf(input.schema).map(({ name, type, required, standard, allowed, about }) => [
    `\`${name}\``,
    type,
    required ? '**required**' : standard === null ? '' : `\`${standard}\``,
    allowed,
    about,
  ])
  return table(['parameter', 'type', 'default', 'allowed', 'description'], rows)
}

function result({ output }: LoadedCapability): string {
  return table(
    ['field', 'type', 'description'],
    fieldsOf(output.schema).map(({ name, type, allowed, about }) => [
      `\`${name}\``,
      type,
      [about, allowed.startsWith('`') ? `One of ${allowed}.` : ''].filter((part) => part !== '').join(' '),
    ]),
  )
}

function lists({ lists: all }: LoadedCapability): string[] {
  if (all.length === 0) return []
  const rows = all.map(({ path, list, query }) => [
    `\`GET ${path}\``,
    `${list.description}${
      Object.keys(query.schema.properties).length === 0
        ? ''
        : ` Query: ${Object.keys(query.schema.properties)
            .map((name) => `\`${name}\``)
            .join(', ')}.`
    }`,
  ])
  return [`## Lists\n\nFree, with a key that may call this capability.\n\n${table(['route', 'what it lists'], rows)}`]
}

function errors(): string {
  const rows = OWN.map((slug) => {
    const { status, cause, retriable } = CATALOGUE[slug]
    return [String(status), `[\`${slug}\`](../errors.md#${slug})`, cause, retriable ? 'yes' : 'no']
  })
  return table(['status', 'type', 'cause', 'retry'], rows)
}

function examples({ capability }: LoadedCapability): string {
  const [first, ...others] = capability.examples
  if (first === undefined) throw new Error(`${capability.id} has no example`)
  const call = writtenCall(capability, first.params, BASE)
  const more = others.map(({ title, params }) => `${title}:\n\n\`\`\`json\n${JSON.stringify(params)}\n\`\`\``)
  return [
    `${first.title}, by curl, by the command line, and by the client libraries for [Python](../../clients/python/README.md) and [TypeScript](../../clients/typescript/README.md), where \`client\` is a \`Capstan\`:`,
    `\`\`\`sh\n${call.curl}\n\`\`\``,
    `\`\`\`sh\n${call.command}\n\`\`\``,
    `\`\`\`python\n${call.python}\n\`\`\``,
    `\`\`\`ts\n${call.typescript}\n\`\`\``,
    ...more,
  ].join('\n\n')
}

function providers(loaded: LoadedCapability, registry: Registry): string {
  const ports = portsOf(loaded, registry)
  if (ports.length === 0) return 'None: the gateway answers by itself.'
  const rows = ports.flatMap((port) =>
    inOrder(port).map((provider) => [
      `\`${port.port.id}\``,
      provider.vendor.title,
      `\`${provider.vendor.id}\``,
      needsOf(provider),
      settingsOf(provider.vendor),
    ]),
  )
  const columns = ['port', 'provider', 'id', 'needs', 'settings (default)']
  const width = rows.some((row) => row.at(-1) !== '') ? columns.length : columns.length - 1
  return `In the default order; \`waterfall\` changes it ([configuration](../configuration.md#order-of-providers)).\n\n${table(
    columns.slice(0, width),
    rows.map((row) => row.slice(0, width)),
  )}`
}

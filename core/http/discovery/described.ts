import { stateOf } from '../../loader/liveness.js'
import type { LiveModes, LoadedCapability, LoadedList, Registry } from '../../loader/types.js'
import type { Slug } from '../../problems/catalogue.js'
import { deadlineOf, type Phrase, type TObject, type TSchema, Type, WORDS } from '../../sdk/index.js'
import { isRecord } from '../../sdk/json.js'

/** A capability as discovery shows it, derived from its declaration. */
export interface Described {
  readonly id: string
  /** Name for tools: letters, digits and `_`. */
  readonly tool: string
  readonly path: string
  readonly title: string
  /** With the price, at most 1,024 characters. */
  readonly description: string
  readonly price: Readonly<Record<string, number>>
  readonly input: TSchema
  /** Its modes, if some of them are not live. */
  readonly modes: LiveModes | null
  readonly output: TSchema
  /** Its time limit in seconds, or how that follows from the input. */
  readonly deadline: number | string
  /** A call changes something outside, such as a message that is sent. */
  readonly acts: boolean
  /** Parameters that name the format of a file, by the parameter with its address. */
  readonly formatOf: Readonly<Record<string, string>>
  readonly examples: LoadedCapability['capability']['examples']
  readonly aliases: readonly string[]
  readonly phrases: readonly Phrase[]
  readonly live: boolean
  readonly reason: string | null
  /** If only a part of it is live: which, and why not the rest. */
  readonly limits: string | null
  readonly products: readonly string[]
  /** Its lists. */
  readonly lists: readonly Endpoint[]
}

const LONGEST = 1024

/** The loaded capabilities as discovery shows them, by id. */
export function describe(registry: Registry): Described[] {
  return [...registry.capabilities.values()]
    .map((loaded): Described => {
      const { capability, prices, input, lists } = loaded
      return {
        id: capability.id,
        tool: capability.id.replaceAll('.', '_'),
        path: capability.path,
        title: capability.title,
        description: `${capability.description} ${priceSentence(prices)}`.slice(0, LONGEST),
        price: prices,
        input: shown(input.schema),
        output: capability.output,
        deadline: deadlineOf(capability),
        acts: capability.once === true || capability.vendors?.once === true,
        formatOf: capability.formatOf ?? {},
        examples: capability.examples,
        aliases: capability.aliases ?? [],
        phrases: capability.phrases ?? [],
        ...registry.liveness(capability.id),
        products: capability.products ?? [],
        lists: lists.map((list) => listEndpoint(capability.id, list)),
      }
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

function shown(schema: TSchema): TSchema {
  const copy = shownSchema(schema)
  return typeof copy === 'object' && copy !== null ? copy : schema
}

/** Problems of a list in addition to those of every route with a key. */
const LIST_PROBLEMS = [
  'no-result',
  'target-blocked',
  'target-unavailable',
  'providers-failed',
  'capability-unavailable',
  'deadline-exceeded',
] as const

/** The capital letter in its id prevents a collision with ids of tools; a list's name has no `_`. */
function listEndpoint(id: string, { name, path, list, query }: LoadedList): Endpoint {
  const { title, description, response } = list
  return {
    method: 'GET',
    path,
    id: `listOf_${id.replaceAll('.', '_')}_${name.replace(/-(.)/g, (_all, letter: string) => letter.toUpperCase())}`,
    summary: title,
    description: `${description} Free, for keys that may call ${id}.`,
    access: 'key',
    tag: 'capabilities',
    params: Type.Object({}),
    query: query.schema,
    body: null,
    response,
    problems: LIST_PROBLEMS,
  }
}

/** A price table in words: `Costs 2 credits.` or `Costs 1 (serp), 2 (ai), 3 (deep) credits.` */
export function priceSentence(prices: Readonly<Record<string, number>>): string {
  const rows = Object.entries(prices)
  const [first] = rows
  if (rows.length === 1 && first !== undefined) return `Costs ${first[1]} ${first[1] === 1 ? 'credit' : 'credits'} per successful call.`
  return `Costs ${rows.map(([row, credits]) => `${signed(row, credits)} (${row})`).join(', ')} credits per successful call.`
}

function signed(row: string, credits: number): string {
  return /[=:]/.test(row) && credits > 0 ? `+${credits}` : String(credits)
}

/** An endpoint that is not a capability, for the OpenAPI description. */
export interface Endpoint {
  readonly method: string
  /** With parameters in braces: `/v1/keys/{key_id}`. */
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly description: string
  /** Who may call it: anyone, the holder of a key, or the operator. */
  readonly access: 'open' | 'key' | 'admin'
  /** By default the tag of its access. */
  readonly tag?: string
  readonly params: TObject
  readonly query: TObject
  readonly body: TObject | null
  /** Media type of the body, default JSON. */
  readonly bodyMedia?: string
  readonly response: TSchema
  /** Media type of the answer, default JSON. */
  readonly media?: string
  /** Its problems in addition to those of every route of its access. */
  readonly problems: readonly Slug[]
  /** Further statuses that are not problems, with their content; null for none. */
  readonly others?: Readonly<Record<number, TSchema | null>>
}

/** A schema for callers: without the keyword for messages, which some frameworks refuse. */
export function shownSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shownSchema)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(Object.entries(schema).flatMap(([name, value]) => (name === WORDS ? [] : [[name, shownSchema(value)]])))
}

/** Restricts an input schema to the live modes. If the default mode is not live, the field becomes required. */
export function narrowed(schema: TSchema, { field, live }: LiveModes): TSchema {
  if (!isRecord(schema) || !isRecord(schema.properties)) return schema
  const property = schema.properties[field]
  if (!isRecord(property)) return schema
  const { default: standard, ...rest } = property
  const isDefault = typeof standard === 'string' && live.includes(standard)
  const needed = Array.isArray(schema.required) ? schema.required.map(String) : []
  return {
    ...schema,
    properties: { ...schema.properties, [field]: { ...rest, ...(isDefault ? { default: standard } : {}), enum: [...live] } },
    ...(isDefault || needed.includes(field) ? {} : { required: [...needed, field] }),
  }
}

/** Ids, prices and providers with their state; no secrets, no settings. */
export function capabilityList(registry: Registry): unknown {
  return {
    capabilities: describe(registry).map(({ id, path, title, price, live, reason, limits, products, lists }) => ({
      id,
      path,
      title,
      price,
      live,
      reason,
      limits,
      products: ['agent', ...products],
      lists: lists.map((list) => list.path),
      ports: portsOf(registry, id).map((port) => ({
        id: port,
        providers: (registry.ports.get(port)?.providers ?? []).map((provider) => ({
          id: provider.vendor.id,
          title: provider.vendor.title,
          kind: provider.kind,
          state: stateOf(provider),
        })),
      })),
    })),
  }
}

/** The ports of a capability: its own where vendors serve it or it has no handler, and those its handler uses. */
function portsOf(registry: Registry, id: string): string[] {
  const loaded = registry.capabilities.get(id)
  if (loaded === undefined) return []
  if (loaded.handler === null) return [id]
  const own = (registry.ports.get(id)?.all ?? []).length > 0
  return [...new Set([...(own ? [id] : []), ...(loaded.capability.uses ?? []).map((port) => port.id)])]
}

import type { Described } from '../../../core/http/discovery/described.js'
import { signature } from '../../../core/http/discovery/tools.js'
import { isRecord } from '../../../core/sdk/json.js'

/** Characters of a tool's description, and of a parameter's: a list of all tools has to stay small, since each client sends it to its model. */
const LONGEST = 250
const LONGEST_OF_PARAMETER = 100
/** Keywords that a model needs to fill in a parameter; the gateway checks the rest and says what was wrong. */
const SHOWN = new Set([
  'type',
  'enum',
  'items',
  'properties',
  'required',
  'description',
  'minimum',
  'maximum',
  'default',
  'anyOf',
  'oneOf',
  'const',
  'format',
])

/** What a tool is made of. */
type ToolFacts = Pick<Described, 'tool' | 'title' | 'description' | 'price' | 'input' | 'acts'>

/** A tool as MCP describes it. */
export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>
  readonly annotations: Readonly<Record<string, boolean>>
}

/** A capability as a tool: its price in the description, of its schema what a model needs. No output schema: a model reads the result. */
export function mcpTool({ tool, title, description, price, input, acts }: ToolFacts): McpTool {
  return {
    name: tool,
    title,
    description: `${firstSentences(description.slice(0, description.lastIndexOf(' Costs ')), LONGEST)} ${prices(price)}`,
    inputSchema: { type: 'object', ...objectOf(short(input)) },
    annotations: annotations(acts),
  }
}

/** Hints of a tool (MCP 2025-11-25, "Tool annotations"). */
function annotations(acts: boolean): Readonly<Record<string, boolean>> {
  return acts
    ? { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
    : { readOnlyHint: true, openWorldHint: true }
}

function prices(price: Readonly<Record<string, number>>): string {
  const rows = Object.entries(price)
  const words = rows.length === 1 ? String(rows[0]?.[1]) : rows.map(([row, credits]) => `${row} ${credits}`).join(', ')
  return `Credits: ${words}.`
}

/** As many whole sentences as fit, at least a part of the first one. */
function firstSentences(text: string, most: number): string {
  if (text.length <= most) return text
  const end = text.lastIndexOf('. ', most)
  return end > 0 ? text.slice(0, end + 1) : `${text.slice(0, text.lastIndexOf(' ', most))} …`
}

function short(schema: unknown, isParameter = false): unknown {
  if (Array.isArray(schema)) return schema.map((each) => short(each, true))
  if (!isRecord(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
      // A parameter that may be null may be left out.
      if (!SHOWN.has(name) || value === null) return []
      if (name === 'type' && Array.isArray(value)) return [[name, value.filter((type) => type !== 'null')[0]]]
      if (name === 'enum' && Array.isArray(value)) return [[name, value.filter((each) => each !== null)]]
      if (name === 'properties' && isRecord(value))
        return [[name, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, short(each, true)]))]]
      if (name === 'description')
        return isParameter && typeof value === 'string' ? [[name, firstSentences(value, LONGEST_OF_PARAMETER)]] : []
      return [[name, ['items', 'anyOf', 'oneOf'].includes(name) ? short(value, true) : value]]
    }),
  )
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

export const FIND = 'find_capability'
export const RUN = 'run_capability'

/** Two tools instead of one for each capability, for clients that pay for every tool in every prompt. */
export function searchTools(ids: readonly string[]): McpTool[] {
  return [
    {
      name: FIND,
      title: 'Find a capability',
      description: `Finds capabilities of this gateway and says their parameters and prices. There are: ${ids.join(', ')}.`,
      inputSchema: {
        type: 'object',
        properties: { query: { type: 'string', description: 'What is to be done, in a few words, or an id.' } },
        required: ['query'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    {
      name: RUN,
      title: 'Run a capability',
      description: 'Runs a capability by its id; find_capability says its parameters.',
      inputSchema: {
        type: 'object',
        properties: { capability: { type: 'string' }, params: { type: 'object', additionalProperties: true } },
        required: ['capability'],
      },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
  ]
}

/** What a search found, as a model reads it: parameters in one line, schema and price; the ids of all others where nothing fits. */
export function foundText(found: readonly Described[], offered: readonly Described[]): string {
  return JSON.stringify({
    capabilities: found.map(({ id, title, description, input }) => ({
      ...{ id, title, description },
      call: signature(id, input),
      input_schema: short(input),
    })),
    ...(found.length > 0 ? {} : { all: offered.map(({ id }) => id) }),
  })
}

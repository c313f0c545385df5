import { isRecord } from '../../sdk/json.js'
import type { Described } from './described.js'

export const TOOL_FORMATS = ['openai', 'claude', 'mcp', 'raw'] as const
type ToolFormat = (typeof TOOL_FORMATS)[number]

type Tool = Pick<Described, 'tool' | 'title' | 'description'> & { readonly input: unknown; readonly output: unknown }

/** The capabilities as tool definitions for a framework. `single`: one tool that takes the capability's name. */
export function tools(capabilities: readonly Described[], format: ToolFormat, options: { single: boolean; version: string }): unknown {
  if (format === 'raw') return raw(capabilities, options.version)
  const list: readonly Tool[] = options.single ? [singleTool(capabilities)] : capabilities
  switch (format) {
    case 'openai':
      return list.map(({ tool: name, description, input }) => ({ type: 'function', function: { name, description, parameters: input } }))
    case 'claude':
      return list.map(({ tool: name, description, input }) => ({ name, description, input_schema: input }))
    case 'mcp':
      return {
        tools: list.map(({ tool: name, title, description, input, output }) => ({
          ...{ name, title, description, inputSchema: input },
          ...(output === null ? {} : { outputSchema: output }),
          annotations: { title, openWorldHint: true },
        })),
      }
  }
}

function singleTool(capabilities: readonly Described[]): Tool {
  const list = capabilities.map(({ id, title }) => `${id} (${title})`).join('; ')
  const about = `Runs one of these capabilities: ${list}. The description of params lists the parameters of each; GET /v1/tools?format=raw has the full schemas.`
  return {
    tool: 'capstan',
    title: 'Any capability by name',
    description: about.slice(0, 1024),
    input: {
      type: 'object',
      properties: {
        capability: { type: 'string', enum: capabilities.map(({ id }) => id), description: 'Id of the capability.' },
        params: {
          type: 'object',
          additionalProperties: true,
          default: {},
          description: `Parameters of that capability; those with ? are optional. ${capabilities.map(({ id, input }) => signature(id, input)).join('; ')}.`,
        },
      },
      required: ['capability'],
      additionalProperties: false,
    },
    output: null,
  }
}

function raw(all: readonly Described[], version: string): unknown {
  const capabilities = all.map(({ id, path, title, description, price, input, output, formatOf, examples, live, reason, limits }) => ({
    ...{ id, path, title, description, price, input, output },
    ...{ format_of: formatOf, examples, live, reason, limits },
  }))
  return { version, capabilities }
}

/** An input in one line: `search(query, mode?: serp|ai|deep, num_results?: integer)`; those with `?` are optional. */
export function signature(id: string, input: unknown): string {
  const { properties, required } = isRecord(input) ? input : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  const names = isRecord(properties) ? Object.entries(properties) : []
  // Required parameters come first.
  const sorted = [...names].sort(([one], [other]) => Number(needed.includes(other)) - Number(needed.includes(one)))
  return `${id}(${sorted.map(([name, schema]) => `${name}${needed.includes(name) ? '' : '?'}${typeOf(schema)}`).join(', ')})`
}

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return ''
  if (Array.isArray(schema.enum)) return `: ${schema.enum.filter((value) => value !== null).join('|')}`
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const named = types.filter((type) => typeof type === 'string' && type !== 'null' && type !== 'string')
  return named.length === 0 ? '' : `: ${named.join('|')}`
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { listen } from './gateway.js'

/** A tool call of a model, its arguments as the protocol has them: a JSON text or an object. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** What the model does next by the results of its calls so far: it calls a tool, or ends with a text. */
export type Script = (
  results: readonly string[],
) => { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> } | string

type Json = Record<string, unknown>

/** How the API of a kind of model names tools, calls and results. The rules are those of the vendors' references. */
interface Protocol {
  readonly path: string
  /** Throws for tools that the API would refuse. */
  readonly checkTools: (tools: unknown) => void
  /** Ids of the calls whose results a message of the caller holds, with these. */
  readonly resultsOf: (message: Json) => readonly { readonly id: string; readonly text: string }[]
  readonly reply: (call: { readonly id: string; readonly name: string; readonly arguments: Json } | null, text: string) => Json
  readonly callsOf: (reply: Json) => readonly ToolCall[]
  readonly textOf: (reply: Json) => string
  /** The message of the model as the next request repeats it, and those with results. */
  readonly turn: (reply: Json, results: readonly { readonly id: string; readonly text: string }[]) => readonly Json[]
  readonly request: (tools: unknown, messages: readonly Json[]) => Json
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const LONGEST_DESCRIPTION = 1024

function checkTool(name: unknown, description: unknown, schema: unknown): void {
  if (typeof name !== 'string' || !NAME.test(name)) throw new Error(`the name ${JSON.stringify(name)} is refused`)
  if (typeof description !== 'string' || description.length > LONGEST_DESCRIPTION) throw new Error(`${name}: the description is refused`)
  const { type, ...rest } = schema as Json
  if (type !== 'object') throw new Error(`${name}: the schema is no object`)
  for (const word of ['oneOf', 'anyOf', 'allOf', 'not', 'enum'])
    if (word in rest) throw new Error(`${name}: the schema has ${word} at its top`)
}

function all(tools: unknown): readonly Json[] {
  if (!Array.isArray(tools) || tools.length === 0) throw new Error('tools is no list')
  return tools as Json[]
}

const firstMessage = (message: Json): Json => message['message'] as Json

export const PROTOCOLS = {
  /** OpenAI: chat completions with function tools. */
  openai: {
    path: '/v1/chat/completions',
    checkTools: (tools) => {
      for (const each of all(tools)) {
        if (each['type'] !== 'function') throw new Error('a tool is no function')
        const { name, description, parameters } = each['function'] as Json
        checkTool(name, description, parameters)
      }
    },
    resultsOf: ({ role, tool_call_id, content }) => (role === 'tool' ? [{ id: String(tool_call_id), text: String(content) }] : []),
    reply: (call, text) => ({
      choices: [
        {
          index: 0,
          finish_reason: call === null ? 'stop' : 'tool_calls',
          message: {
            role: 'assistant',
            content: call === null ? text : null,
            ...(call === null
              ? {}
              : {
                  tool_calls: [
                    { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments, null, 1) } },
                  ],
                }),
          },
        },
      ],
    }),
    callsOf: ({ choices }) =>
      (
        (firstMessage((choices as Json[])[0] ?? {})['tool_calls'] ?? []) as { id: string; function: { name: string; arguments: string } }[]
      ).map(({ id, function: { name, arguments: given } }) => ({ id, name, arguments: given })),
    textOf: ({ choices }) => String(firstMessage((choices as Json[])[0] ?? {})['content']),
    turn: ({ choices }, results) => [
      firstMessage((choices as Json[])[0] ?? {}),
      ...results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
    ],
    request: (tools, messages) => ({ model: 'scripted', messages, tools }),
  },
  /** Anthropic: messages with tool_use and tool_result blocks. */
  claude: {
    path: '/v1/messages',
    checkTools: (tools) => {
      for (const { name, description, input_schema } of all(tools)) checkTool(name, description, input_schema)
    },
    resultsOf: ({ role, content }) =>
      role === 'user' && Array.isArray(content)
        ? (content as Json[])
            .filter(({ type }) => type === 'tool_result')
            .map(({ tool_use_id, content: text }) => ({ id: String(tool_use_id), text: String(text) }))
        : [],
    reply: (call, text) => ({
      role: 'assistant',
      stop_reason: call === null ? 'end_turn' : 'tool_use',
      content: [call === null ? { type: 'text', text } : { type: 'tool_use', id: call.id, name: call.name, input: call.arguments }],
    }),
    callsOf: ({ content }) =>
      (content as Json[])
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({ id: String(id), name: String(name), arguments: input })),
    textOf: ({ content }) => String((content as Json[])[0]?.['text']),
    turn: ({ role, content }, results) => [
      { role, content },
      { role: 'user', content: results.map(({ id, text }) => ({ type: 'tool_result', tool_use_id: id, content: text })) },
    ],
    request: (tools, messages) => ({ model: 'scripted', max_tokens: 1024, messages, tools }),
  },
  /** A host of MCP tools: it takes a `tools/list` result, and its calls are those of `tools/call`. */
  mcp: {
    path: '/model',
    checkTools: (tools) => {
      for (const { name, description, inputSchema } of all((tools as Json)['tools'])) checkTool(name, description, inputSchema)
    },
    resultsOf: ({ results = [] }) => results as { id: string; text: string }[],
    reply: (call, text) => (call === null ? { text } : { calls: [call] }),
    callsOf: ({ calls = [] }) => calls as ToolCall[],
    textOf: ({ text }) => String(text),
    turn: (reply, results) => [reply, { results }],
    request: (tools, messages) => ({ tools, messages }),
  },
} satisfies Record<string, Protocol>

export type Format = keyof typeof PROTOCOLS

/** A server that plays a model by a script: it refuses tools, and results of calls that it did not make, as the vendor's API does. */
export class ToolModel {
  readonly #protocol: Protocol
  readonly #script: Script
  /** Tools of the requests so far. */
  readonly tools: unknown[] = []
  #made: string[] = []
  #server: { url: string; close: () => Promise<void> } | null = null

  private constructor(format: Format, script: Script) {
    this.#protocol = PROTOCOLS[format]
    this.#script = script
  }

  static async start(format: Format, script: Script): Promise<ToolModel> {
    const model = new ToolModel(format, script)
    model.#server = await listen((request, response) => void model.#answer(request, response))
    return model
  }

  get url(): string {
    return `${this.#server?.url ?? ''}${this.#protocol.path}`
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = ''
    for await (const piece of request) text += String(piece)
    response.setHeader('content-type', 'application/json')
    try {
      response.end(JSON.stringify(this.#turn(JSON.parse(text) as Json)))
    } catch (error) {
      response.statusCode = 400
      response.end(JSON.stringify({ error: { message: String(error) } }))
    }
  }

  #turn({ tools, messages }: Json): Json {
    this.#protocol.checkTools(tools)
    this.tools.push(tools)
    const results = (messages as Json[]).flatMap((message) => this.#protocol.resultsOf(message))
    if (
      !isDeepStrictEqual(
        results.map(({ id }) => id),
        this.#made,
      )
    )
      throw new Error('the results are not those of the calls')
    const next = this.#script(results.map(({ text }) => text))
    if (typeof next === 'string') return this.#protocol.reply(null, next)
    const id = `call_${this.#made.length + 1}`
    this.#made = [...this.#made, id]
    return this.#protocol.reply({ id, name: next.name, arguments: { ...next.arguments } }, '')
  }
}

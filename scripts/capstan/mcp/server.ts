import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server'
import type { Progress } from '../../../core/dispatch/call.js'
import { nearest } from '../../../core/sdk/nearest.js'
import { isRecord } from '../../../core/sdk/json.js'
import { narrowed, type Described } from '../../../core/http/discovery/described.js'
import { toolResult } from './result.js'
import type { Finder } from './find.js'
import { FIND, foundText, mcpTool, RUN, searchTools } from './tool-list.js'
import type { Artifacts } from '../../../core/files/artifacts.js'

/** A call of a capability on behalf of an MCP client. */
export interface ToolCall {
  readonly path: string
  readonly input: unknown
  readonly idempotencyKey: string | null
  readonly signal: AbortSignal
  readonly onProgress: ((progress: Progress) => void) | null
}

export interface McpServerOptions {
  readonly version: string
  /** All capabilities: a call of one that the key may not call, or that is not live, is refused as by HTTP. */
  readonly capabilities: readonly Described[]
  /** Those that are listed: live, and the key may call them. */
  readonly offered: readonly Described[]
  readonly finder: Finder
  /** Two tools, find and run, instead of one for each capability. */
  readonly search: boolean
  readonly account: string
  readonly artifacts: Pick<Artifacts, 'put' | 'openLink'>
  /** Resolves with the envelope. */
  readonly call: (call: ToolCall) => Promise<unknown>
}

/** Clients may keep the list for a minute; it differs between keys. */
const LIST_HINT = { ttlMs: 60_000, cacheScope: 'private' } as const
const INSTRUCTIONS =
  'Each tool is a paid capability; its description says the credits of a successful call, failures are free. A result says in its text what to change when it failed.'
/** Characters of a name that are compared. */
const LONGEST_NAME = 100
const LONGEST_QUERY = 200
/** Where a client that cannot set the Idempotency-Key header sends it. */
const IDEMPOTENCY = 'capstan/idempotency-key'

/** An MCP server for one request: the tools that the caller's key may call. Both revisions, 2026-07-28 and 2025-11-25. */
export function mcpServer(options: McpServerOptions): Server {
  const { version, capabilities, offered, finder, search } = options
  const server = new Server(
    { name: 'capstan', title: 'Capstan', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, cacheHints: { 'tools/list': LIST_HINT } },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: search ? searchTools(offered.map(({ id }) => id)) : offered.map((each) => mcpTool(withLiveModes(each))),
  }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { name, arguments: given = {} } = params
    if (!search) return await run(options, { capability: named(name, capabilities, offered), input: given }, ctx)
    if (name === FIND) {
      const found = finder.find(textOf(given['query']).slice(0, LONGEST_QUERY), offered)
      return { content: [{ type: 'text', text: foundText(found.map(withLiveModes), offered) }] }
    }
    if (name !== RUN) throw unknown(name, [FIND, RUN])
    const capability = named(textOf(given['capability']), capabilities, offered)
    return await run(options, { capability, input: given['params'] ?? {} }, ctx)
  })
  return server
}

/** Whether a message calls a capability that there is, and so comes in again as a paid call. */
export function callsCapability(
  { method, params }: Readonly<Record<string, unknown>>,
  capabilities: readonly Described[],
  search: boolean,
): boolean {
  if (method !== 'tools/call' || !isRecord(params)) return false
  const given = isRecord(params['arguments']) ? params['arguments'] : {}
  const name = search ? (params['name'] === RUN ? given['capability'] : undefined) : params['name']
  return capabilityOf(capabilities, textOf(name)) !== undefined
}

function capabilityOf(capabilities: readonly Described[], name: string): Described | undefined {
  return capabilities.find(({ id, tool }) => name === id || name === tool)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function withLiveModes(capability: Described): Described {
  return capability.modes === null ? capability : { ...capability, input: narrowed(capability.input, capability.modes) }
}

function named(name: string, capabilities: readonly Described[], offered: readonly Described[]): Described {
  const found = capabilityOf(capabilities, name)
  if (found !== undefined) return found
  throw unknown(
    name,
    offered.map(({ tool }) => tool),
  )
}

function unknown(name: string, known: readonly string[]): ProtocolError {
  const near = nearest(name.slice(0, LONGEST_NAME), known)
  const advice = near === null ? `There are: ${known.join(', ')}` : `Did you mean ${near}?`
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(name.slice(0, LONGEST_NAME))}. ${advice}`)
}

async function run(
  { account, artifacts, call }: McpServerOptions,
  { capability, input }: { readonly capability: Described; readonly input: unknown },
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const { signal, _meta } = mcpReq
  const token = _meta?.progressToken
  const key = _meta?.[IDEMPOTENCY]
  let steps = 0
  const onProgress =
    token === undefined
      ? null
      : ({ step, detail, done, total }: Progress): void => {
          steps += 1
          const message = detail === null ? step : `${step}: ${detail}`
          // Must grow with each notification, which the counts of different steps do not.
          const params = {
            progressToken: token,
            progress: steps,
            message: done === null ? message : `${message} (${done}${total === null ? '' : ` of ${total}`})`,
          }
          // A client that left does not get it; its call ends by the signal.
          void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
        }
  const envelope = await call({
    ...{ path: capability.path, input, signal },
    idempotencyKey: typeof key === 'string' ? key : null,
    onProgress,
  })
  return await toolResult(envelope, { artifacts, account })
}

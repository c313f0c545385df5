import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Agent, request } from 'undici'
import { packageRoot } from '../../../core/runtime/root.js'

/** One way to make the same call. */
export interface Way {
  readonly name: string
  /** One call; rejects when it failed. */
  readonly call: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface Target {
  readonly url: string
  readonly key: string
}

const MODERN = '2026-07-28'
const LEGACY = '2025-11-25'
const META = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {} }
const TOOL = { name: 'bench_echo', arguments: { prompt: 'hello' } }

interface Post {
  readonly name: string
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the text of an answer is a success. */
  readonly worked: (text: string) => boolean
}

/** Posts over one kept connection. */
export function posts({ url, key }: Target, { name, path, body, headers = {}, worked }: Post): Way {
  const agent = new Agent({ connections: 1 })
  const text = JSON.stringify(body)
  return {
    name,
    call: async () => {
      const answer = await request(url + path, {
        ...{ method: 'POST', body: text, dispatcher: agent },
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
      })
      const got = await answer.body.text()
      if (answer.statusCode !== 200 || !worked(got)) throw new Error(`${name}: ${answer.statusCode} ${got.slice(0, 300)}`)
    },
    close: () => agent.close(),
  }
}

const paid = (text: string): boolean => text.includes('"success":true')
const called = (text: string): boolean => text.includes('"structuredContent"')

/** The plain HTTP call, against which the others are compared. */
export function plainHttp(target: Target): Way {
  return posts(target, { name: 'HTTP', path: '/v1/bench/echo', body: TOOL.arguments, worked: paid })
}

/** The same call through MCP over HTTP, and messages that call nothing. */
export function overHttp(target: Target): Way[] {
  const accept = { accept: 'application/json, text/event-stream' }
  const modern = (method: string, params: object, name?: string): Pick<Post, 'body' | 'headers'> => ({
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } },
    headers: { ...accept, 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) },
  })
  const legacy = (method: string, params: object): Pick<Post, 'body' | 'headers'> => ({
    body: { jsonrpc: '2.0', id: 1, method, params },
    headers: { ...accept, 'mcp-protocol-version': LEGACY },
  })
  const chosen = { name: 'run_capability', arguments: { capability: 'bench.echo', params: TOOL.arguments } }
  const path = '/mcp'
  return [
    posts(target, {
      name: 'HTTP, POST /v1/agent',
      path: '/v1/agent',
      body: { capability: 'bench.echo', params: TOOL.arguments },
      worked: paid,
    }),
    posts(target, { name: `MCP ${MODERN}`, path, ...modern('tools/call', TOOL, TOOL.name), worked: called }),
    posts(target, { name: `MCP ${LEGACY}`, path, ...legacy('tools/call', TOOL), worked: called }),
    posts(target, {
      name: `MCP ${LEGACY}, with progress`,
      path,
      ...legacy('tools/call', { ...TOOL, _meta: { progressToken: 1 } }),
      worked: called,
    }),
    posts(target, {
      ...{ name: `MCP ${MODERN}, mode=search`, path: '/mcp?mode=search', worked: called },
      ...modern('tools/call', chosen, chosen.name),
    }),
    posts(target, { name: `MCP ${LEGACY}, ping: no call`, path, ...legacy('ping', {}), worked: (text) => text.includes('"result":{}') }),
    posts(target, {
      name: `MCP ${MODERN}, tools/list: no call`,
      path,
      ...modern('tools/list', {}),
      worked: (text) => text.includes('"tools"'),
    }),
  ]
}

/** `capstan mcp`: a program that forwards from standard input. */
export async function overStdio(target: Target): Promise<Way> {
  const main = join(packageRoot(), 'dist', 'capstan.js')
  const lines = new Lines(spawn(process.execPath, [main, 'mcp'], { stdio: ['pipe', 'pipe', 'inherit'], env: environment(target) }))
  let id = 0
  const send = async (method: string, params: object): Promise<string> =>
    await lines.request(JSON.stringify({ jsonrpc: '2.0', id: (id += 1), method, params }))
  await send('initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'bench', version: '1' } })
  return {
    name: 'MCP over stdio (capstan mcp)',
    call: async () => {
      const got = await send('tools/call', TOOL)
      if (!called(got)) throw new Error(got.slice(0, 300))
    },
    close: () => lines.close(),
  }
}

/** Any client, as a program that makes one call for each line it reads and then writes a line; CAPSTAN_URL and CAPSTAN_API_KEY say where. */
export function program(target: Target, name: string, command: string): Way {
  const lines = new Lines(spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'inherit'], env: environment(target) }))
  return { name, call: async () => void (await lines.request('call')), close: () => lines.close() }
}

function environment({ url, key }: Target): NodeJS.ProcessEnv {
  return { ...process.env, CAPSTAN_URL: url, CAPSTAN_API_KEY: key }
}

/** A program that answers each line with one line. */
class Lines {
  readonly #child: ChildProcess
  readonly #ended: Promise<never>
  #next: (line: string) => void = () => undefined

  constructor(child: ChildProcess) {
    this.#child = child
    this.#ended = new Promise((_resolve, reject) =>
      child.once('close', (code) => reject(new Error(`the program ended with code ${String(code)}`))),
    )
    this.#ended.catch(() => undefined)
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => this.#next(line))
  }

  request(line: string): Promise<string> {
    const answer = new Promise<string>((resolve) => (this.#next = resolve))
    this.#child.stdin?.write(`${line}\n`)
    return Promise.race([answer, this.#ended])
  }

  async close(): Promise<void> {
    this.#child.stdin?.end()
    await this.#ended.catch(() => undefined)
  }
}

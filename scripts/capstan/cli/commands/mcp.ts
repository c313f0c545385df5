import type { Command } from 'commander'
import { createInterface } from 'node:readline'
import type { Clock } from '../../../../core/runtime/clock.js'
import { isRecord } from '../../../../core/sdk/json.js'
import { apiKey } from '../api-key.js'
import { examples } from '../example.js'
import { DEFAULT_URL, gatewayUrl } from '../gateway-url.js'
import type { Shell } from '../shell.js'

/** `capstan mcp`: an MCP server on standard input and output, for clients that start one; it forwards to the running gateway. */
export function addMcp(program: Command, shell: Shell): void {
  const command = program
    .command('mcp')
    .description(
      `MCP server on standard input and output that forwards to the gateway at CAPSTAN_URL (default: the port in CAPSTAN_PORT or capstan.yml of this machine, ${DEFAULT_URL}) with the key in CAPSTAN_API_KEY`,
    )
    .option('--search', 'two tools, find and run, instead of one for each capability')
  examples(command, 'capstan mcp', 'claude mcp add capstan -- capstan mcp --search')
  command.action(async () => {
    const key = apiKey(shell.io.env['CAPSTAN_API_KEY'] ?? '')
    const base = await gatewayUrl(shell, command)
    const [{ GatewayClient }, { McpBridge }] = await Promise.all([import('../gateway-client.js'), import('../mcp-bridge.js')])
    const { search } = command.opts<{ readonly search?: boolean }>()
    const bridge = new McpBridge({
      client: new GatewayClient(base),
      path: search === true ? '/mcp?mode=search' : '/mcp',
      key,
      clock: WAITING,
      send: (message) => shell.io.out(`${JSON.stringify(message)}\n`),
    })
    for await (const line of createInterface({ input: process.stdin, terminal: false })) {
      if (line.trim() !== '') await bridge.receive(parse(line))
    }
    await bridge.close()
  })
}

/** A clock whose timers keep the process: a request may be waiting for the gateway after the end of the input. */
const WAITING: Pick<Clock, 'after' | 'monotonic'> = {
  monotonic: () => performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms)
    return () => clearTimeout(timer)
  },
}

/** Null for a line that is no JSON object. */
function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

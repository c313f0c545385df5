import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../../core/runtime/root.js'
import type { TSchema } from '../../../core/sdk/index.js'
import { mcpTool, searchTools } from '../../capstan/mcp/tool-list.js'
import { furnish } from '../../gateway/furnish.js'
import { cpuMs, freePort, start } from '../../gateway/process.js'
import { startGateway, type Gateway } from '../../gateway/start.js'
import { overHttp, overStdio, plainHttp, program, type Way } from './ways.js'

const HELP = `npm run bench:mcp -- [--rounds N] [--client NAME=COMMAND]...

Makes the same paid call by HTTP and by MCP in turn, over kept connections to one gateway in one run, and prints the 2nd, 50th and 95th
percentile of each way (300 rounds after 30 unless --rounds says otherwise), what each adds to the plain HTTP call (by the 2nd percentiles,
and as the median of the differences within a round), and the processor time of the gateway for a call (of as many calls in a row). Where
other work shares the machine the 2nd percentiles, of calls that it left alone, say more than the medians. Then the bytes of each list of tools.
A --client is a command that makes the call of bench.echo with prompt "hello" for each line that it reads, and writes a line when it is done;
CAPSTAN_URL and CAPSTAN_API_KEY say where. It may be given several times.
`
const WARM_UP = 30
/** The share of the quickest calls that counts as undisturbed. */
const LEAST = 0.02
/** Goals: milliseconds that MCP adds, and bytes of the lists. */
const MOST_ADDED_MS = 3
const MOST_LIST = 24_000
const MOST_SEARCH = 2_000

interface Raw {
  readonly capabilities: readonly {
    readonly id: string
    readonly title: string
    readonly description: string
    readonly price: Readonly<Record<string, number>>
    readonly input: TSchema
    readonly live: boolean
  }[]
}

/** Processor time of the gateway for one call of each way, all threads, in milliseconds. */
async function processorTimes(ways: readonly Way[], rounds: number, pid: number): Promise<Map<Way, number>> {
  const times = new Map<Way, number>()
  for (const way of ways) {
    const began = cpuMs(pid)
    for (let round = 0; round < rounds; round++) await way.call()
    times.set(way, (cpuMs(pid) - began) / rounds)
  }
  return times
}

async function measure(ways: readonly Way[], rounds: number): Promise<Map<Way, number[]>> {
  const times = new Map(ways.map((way) => [way, [] as number[]]))
  for (let round = 0; round < WARM_UP + rounds; round++)
    for (const way of ways) {
      const began = performance.now()
      await way.call()
      if (round >= WARM_UP) times.get(way)?.push(performance.now() - began)
    }
  return times
}

function part(values: readonly number[], share: number): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length * share)] ?? NaN
}

function printTimes(times: ReadonlyMap<Way, readonly number[]>, processor: ReadonlyMap<Way, number>): void {
  const [plain = []] = times.values()
  process.stdout.write(
    '\n| way | p2 ms | p50 ms | p95 ms | added to HTTP, p2 ms | added to HTTP, median ms | processor ms of the gateway |\n|---|---|---|---|---|---|---|\n',
  )
  for (const [way, own] of times) {
    const added = part(
      own.map((ms, round) => ms - (plain[round] ?? NaN)),
      0.5,
    )
    const least = part(own, LEAST)
    const cells = [least, part(own, 0.5), part(own, 0.95), least - part(plain, LEAST), added, processor.get(way) ?? NaN].map((ms) =>
      ms.toFixed(2),
    )
    process.stdout.write(`| ${way.name} | ${cells.join(' | ')} |\n`)
  }
  process.stdout.write(`Goal: MCP adds at most ${MOST_ADDED_MS} ms.\n`)
}

async function printSizes({ url }: Gateway): Promise<void> {
  const bytesOf = async (query: string): Promise<number> => (await (await fetch(`${url}/v1/tools?${query}`)).arrayBuffer()).byteLength
  const { capabilities } = (await (await fetch(`${url}/v1/tools?format=raw`)).json()) as Raw
  const tools = capabilities.map((each) => mcpTool({ ...each, tool: each.id.replaceAll('.', '_'), acts: false }))
  const list = (given: unknown): number => Buffer.byteLength(JSON.stringify({ tools: given }))
  const rows: [string, number, number | null][] = [
    [`MCP tools/list, all ${tools.length} tools`, list(tools), MOST_LIST],
    [
      `MCP tools/list, the ${capabilities.filter(({ live }) => live).length} that are live here`,
      list(tools.filter((_tool, at) => capabilities[at]?.live)),
      MOST_LIST,
    ],
    ['MCP tools/list, mode=search', list(searchTools(capabilities.map(({ id }) => id))), MOST_SEARCH],
  ]
  for (const format of ['openai', 'claude', 'mcp', 'raw'])
    for (const single of format === 'raw' ? [false] : [false, true])
      rows.push([
        `GET /v1/tools?format=${format}${single ? '&single=true' : ''}`,
        await bytesOf(`format=${format}&single=${String(single)}`),
        null,
      ])
  process.stdout.write('\n| list | bytes | goal |\n|---|---|---|\n')
  for (const [what, bytes, goal] of rows) process.stdout.write(`| ${what} | ${bytes} | ${goal === null ? '-' : `<= ${goal}`} |\n`)
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '300' },
    client: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
})

async function run(): Promise<void> {
  const port = await freePort()
  const mock = await start('upstream', `http://127.0.0.1:${port}`, {
    program: process.execPath,
    args: [join(packageRoot(), 'scripts', 'gateway', 'mock.mjs'), String(port)],
  })
  const gateway = await startGateway({ upstream: mock.url })
  try {
    const [key = ''] = await furnish(gateway, 1)
    const target = { url: gateway.url, key }
    const clients = values.client.map((given) => {
      const at = given.indexOf('=')
      return program(target, given.slice(0, at), given.slice(at + 1))
    })
    const ways = [plainHttp(target), ...overHttp(target), await overStdio(target), ...clients]
    const rounds = Number(values.rounds)
    process.stdout.write(
      `${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}; client, upstream and gateway share them. ${rounds} rounds, one call at a time.\n`,
    )
    printTimes(await measure(ways, rounds), await processorTimes(ways, rounds, gateway.pid))
    await printSizes(gateway)
    for (const way of ways) await way.close()
  } finally {
    await Promise.all([gateway.stop(), mock.stop()])
  }
}

if (values.help) process.stdout.write(HELP)
else await run()

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../../core/runtime/root.js'
import { must, startGateway, type Gateway } from '../../gateway/start.js'
import { markPeak, peakMib, residentMib } from '../../gateway/process.js'
import type { Served, Shape } from './shape.js'

/** What one shape did to a gateway of its own. */
export interface Measured {
  /** Processor time of the longest turn of the main thread, in milliseconds. */
  readonly turnMs: number
  /** How much more memory was resident at the most than before. */
  readonly mib: number
  readonly status: number
  readonly answerMs: number
  /** The first words of an error. */
  readonly said: string
}

/** After the answer: for what the gateway does behind it. */
const SETTLE_MS = 300
const HELLO: Served = {
  contentType: 'application/json',
  bytes: Buffer.from('{"choices":[{"message":{"content":"hello"}}]}'),
}
const PLAIN: Served = { contentType: 'text/html', bytes: Buffer.from('<html><body><p>Some words to read.</p></body></html>') }

/** Sends a shape alone to a new gateway, after a few small requests of the same kind, which load what is loaded once. */
export async function measure(shape: Shape): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-standstill-'))
  const turns = join(folder, 'turns')
  writeFileSync(turns, '')
  const upstream = await Upstream.start()
  const gateway = await startGateway({
    upstream: upstream.url,
    env: {
      NODE_OPTIONS: `--import ${pathToFileURL(join(packageRoot(), 'scripts', 'bench', 'standstill', 'turns.mjs')).href}`,
      STANDSTILL_TURNS: turns,
    },
  })
  try {
    await warm(gateway, upstream)
    const body = Buffer.from(shape.body()).toString('latin1').replace('{page}', `${upstream.url}/page`)
    upstream.served = shape.serves?.() ?? HELLO
    await pause(SETTLE_MS)
    const start = statSync(turns).size
    const before = residentMib(gateway.pid)
    markPeak(gateway.pid)
    const answer = await send(gateway, shape, Buffer.from(body, 'latin1'))
    await pause(SETTLE_MS)
    const lines = readFileSync(turns, 'utf8').slice(start).split('\n').map(Number)
    return { ...answer, turnMs: Math.max(0, ...lines), mib: peakMib(gateway.pid) - before }
  } finally {
    // A stop waits for load balancers.
    await gateway.kill()
    await upstream.stop()
    rmSync(gateway.data, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

async function warm(gateway: Gateway, upstream: Upstream): Promise<void> {
  const key = gateway.first?.key ?? ''
  await must(`${gateway.url}/v1/code/execute`, key, { code: '1', language: 'javascript' })
  for (let round = 0; round < 2; round++) {
    upstream.served = HELLO
    await must(`${gateway.url}/v1/bench/echo`, key, { prompt: 'hello' })
    upstream.served = PLAIN
    await must(`${gateway.url}/v1/scrape`, key, { url: `${upstream.url}/page`, mode: 'fast' })
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The upstream: one answer to every request. */
class Upstream {
  served: Served = HELLO
  readonly url: string
  readonly #server: Server

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
  }

  static async start(): Promise<Upstream> {
    const server = createServer((incoming, response) => {
      const { contentType, bytes, status = 200 } = upstream.served
      incoming
        .resume()
        .on('end', () => response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length }).end(bytes))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const upstream = new Upstream(server, `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`)
    return upstream
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

async function send(gateway: Gateway, shape: Shape, body: Buffer): Promise<Omit<Measured, 'turnMs' | 'mib'>> {
  const began = performance.now()
  const sent = request(gateway.url + shape.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.first?.key ?? ''}`,
      'content-type': 'application/json',
      'content-length': body.length,
      ...shape.headers,
    },
  })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const answerMs = performance.now() - began
  const start = Buffer.concat(chunks).toString('utf8', 0, 2_000)
  return { status: response.statusCode ?? 0, answerMs, said: /"detail":"?(.{0,80})/.exec(start)?.[1] ?? '' }
}

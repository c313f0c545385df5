import { createServer } from 'node:http'
import { once } from 'node:events'
import { must, startGateway, type Gateway } from '../gateway/start.js'

interface Envelope {
  readonly metadata: { readonly response_time_ms: number }
}

/** Prints what one caller meets: cold start, discovery, and warm calls of the capabilities that run here. */
export async function gatewayFigures(): Promise<void> {
  const page = await pageServer()
  const gateway = await startGateway({ upstream: page.url })
  try {
    const rows: [string, string][] = [
      ['cold start until it listens', `${gateway.readyMs.toFixed(0)} ms`],
      ['GET /v1/tools, median of 200', `${(await discovery(gateway, '/v1/tools')).toFixed(2)} ms`],
      ['GET /v1/openapi.json, median of 200', `${(await discovery(gateway, '/v1/openapi.json')).toFixed(2)} ms`],
      ['scrape fast of a 30 kB page, warm', await warm(gateway, '/v1/scrape', { url: page.url, mode: 'fast' })],
      ['code.execute print(1), warm', await warm(gateway, '/v1/code/execute', { code: 'print(1)' })],
      ['code.execute console.log(1), warm', await warm(gateway, '/v1/code/execute', { code: 'console.log(1)', language: 'javascript' })],
    ]
    process.stdout.write(`\nOne caller\n| what | time |\n|---|---|\n${rows.map(([what, time]) => `| ${what} | ${time} |`).join('\n')}\n`)
  } finally {
    await gateway.stop()
    page.close()
  }
}

async function discovery(gateway: Gateway, path: string): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 200; round++) {
    const began = performance.now()
    await (await fetch(gateway.url + path)).arrayBuffer()
    times.push(performance.now() - began)
  }
  return middle(times)
}

/** The gateway's own time of a call, median of 15 after 3 warm-up calls; or why it cannot be measured here. */
async function warm(gateway: Gateway, path: string, body: unknown): Promise<string> {
  const times: number[] = []
  try {
    for (let round = 0; round < 18; round++) {
      const { metadata } = await must<Envelope>(gateway.url + path, gateway.first?.key ?? '', body)
      if (round >= 3) times.push(metadata.response_time_ms)
    }
  } catch (error) {
    return `not measured: ${error instanceof Error ? error.message.slice(0, 120) : String(error)}`
  }
  return `${middle(times).toFixed(0)} ms`
}

function middle(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function pageServer(): Promise<{ url: string; close: () => void }> {
  const sentence = 'Each paragraph of this page says a little about nothing in particular, so that there is text to read and to keep. '
  const paragraphs = Array.from(
    { length: 76 },
    (_, index) => `<h2>Part ${index + 1}</h2><p>${sentence.repeat(3)}<a href="/part/${index}">More</a></p>`,
  ).join('')
  const html = `<!doctype html><html lang="en"><head><title>A page of 30 kB</title></head><body><nav><a href="/">Home</a></nav><article><h1>A page</h1>${paragraphs}</article></body></html>`
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`, close: () => server.close() }
}

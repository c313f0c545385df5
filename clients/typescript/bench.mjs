/**
 * What the client adds to a call: medians and 99th percentiles of calls by plain `fetch` and by the client, in turns, to a server on loopback in
 * a thread of its own. `node build.mjs && node bench.mjs [calls]`.
 */
import { createServer } from 'node:http'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { fileURLToPath } from 'node:url'

const WARM_UP = 300

if (isMainThread) await bench(Number(process.argv[2] ?? 2_000))
else serve()

async function bench(calls) {
  const { Capstan } = await import('./dist/index.mjs')
  const server = new Worker(fileURLToPath(import.meta.url))
  const baseUrl = await new Promise((resolve) => server.once('message', resolve))
  const client = new Capstan({ apiKey: 'cap_bench', baseUrl })
  const params = { url: 'https://example.com', mode: 'fast' }
  const headers = { authorization: 'Bearer cap_bench', 'content-type': 'application/json', 'idempotency-key': 'bench' }
  const ways = {
    'plain fetch': async () => {
      const response = await fetch(`${baseUrl}/v1/scrape`, { method: 'POST', headers, body: JSON.stringify(params) })
      return (await response.json()).data.title
    },
    client: async () => (await client.scrape(params)).data.title,
    'client, with progress': async () => (await client.scrape(params, { onProgress: () => {} })).data.title,
  }
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
  for (let call = -WARM_UP; call < calls; call++)
    for (const [name, way] of Object.entries(ways)) {
      const began = performance.now()
      if ((await way()) !== 'A page') throw new Error(`${name} gave another result`)
      if (call >= 0) times[name].push(performance.now() - began)
    }
  await server.terminate()
  const rows = Object.entries(times).map(([name, all]) => ({ name, median: at(all, 0.5), p99: at(all, 0.99) }))
  for (const { name, median, p99 } of rows) {
    const added = name === 'plain fetch' ? '' : `  adds ${(median - rows[0].median).toFixed(3)} ms`
    console.log(`${name.padEnd(22)} median ${median.toFixed(3)} ms  p99 ${p99.toFixed(3)} ms${added}`)
  }
}

function at(times, share) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]
}

/** Answers each call with the same page of 2 kB: JSON, or events where they are requested. */
function serve() {
  const metadata = {
    provider_used: 'fetch',
    providers_tried: ['fetch'],
    mode_used: 'fast',
    response_time_ms: 1,
    request_id: 'req_1',
    attempts: [],
  }
  const data = { title: 'A page', content: 'x'.repeat(2_000), description: null, links: [], screenshot_url: null }
  const body = JSON.stringify({ success: true, data, error: null, metadata, credits_used: 1 })
  const server = createServer((request, response) => {
    const streams = request.headers.accept?.includes('text/event-stream')
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
      response.end(streams ? `event: result\ndata: ${body}\n\n` : body)
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(`http://127.0.0.1:${server.address().port}`))
}

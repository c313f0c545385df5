import { createServer, request, type Agent, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GuestPlugins } from '../test/support/guest-plugin.js'

/** Every so many calls the kinds begin anew. */
const ROUND = 40
const KEYS = 500
const CUT_MS = 20
/** First letters of inputs of the capability `varied`: most are ordinary, the others miss, break, take too long, and never end. */
const TEXTS = ['o', 'm', 'b', 'o', 'o', 't', 'o', 'h']
/** Pages by the first letter of their path: reset, broken off, 503, redirect, false encoding, and ordinary ones. */
const PAGES = ['r', 'l', '5', 'd', 'g', 'o', 'o', 'o']

/** A capability with two providers, of which the first fails in every way that a text selects. */
export function writeVaried(guests: GuestPlugins): void {
  const first = `async ({ text }, ctx) => {
  if (text[0] === 'm') throw new Fault('missing', 'not there')
  if (text[0] === 'b') throw new Error('broken')
  if (text[0] === 't') await new Promise((r) => setTimeout(r, 60))
  if (text[0] === 'h') await new Promise(() => {})
  ctx.note('a note')
  ctx.progress('on its way')
  return { text }
}`
  const second = "async ({ text }) => { if (text[0] === 'b' || text[0] === 'h') throw new Fault('blocked', 'no'); return { text } }"
  guests.write({ name: 'varied', providers: { first: { run: first, more: 'timeoutMs: 40' }, second: { run: second } } })
}

/** A site whose pages fail in every way. */
export async function startSite(): Promise<{ url: string; server: Server }> {
  const server = createServer((incoming, answer) => {
    switch (incoming.url?.[1]) {
      case 'r':
        return void incoming.socket.resetAndDestroy()
      case 'l':
        answer.writeHead(200, { 'content-length': 5_000, 'content-type': 'text/html' }).write('x')
        return void incoming.socket.destroy()
      case '5':
        return void answer.writeHead(503).end('no')
      case 'd':
        return void answer.writeHead(302, { location: '/ok' }).end()
      case 'g':
        return void answer.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' }).end('not gzip')
      default:
        return void answer.writeHead(200, { 'content-type': 'text/plain' }).end('This is a page with some text in it. '.repeat(20))
    }
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

interface Post {
  readonly path: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Left by its caller after so many milliseconds. */
  readonly cutMs?: number
}

/** The call of this number. */
function callOf(count: number, site: string): Post {
  const varied = (text: string, more: Partial<Post> = {}): Post => ({ path: '/v1/varied', body: JSON.stringify({ text }), ...more })
  const kind = count % ROUND
  if (kind === 0) return { path: '/v1/varied', body: '{bad' }
  if (kind === 1) return varied(`h${count}`, { cutMs: CUT_MS })
  if (kind === 2) return varied(`o${count}`, { headers: { accept: 'text/event-stream' } })
  if (kind === 3) return varied(`o${count}`, { headers: { 'idempotency-key': `k${count % KEYS}` } })
  if (kind === 4) return { path: `/v1/nowhere${count}`, body: '{}' }
  if (kind === 5) return varied('o', { headers: { authorization: `Bearer cap_${'x'.repeat(49)}` } })
  if (kind >= 10) return varied(`${TEXTS[count % TEXTS.length] ?? ''}${count}`)
  return { path: '/v1/scrape', body: JSON.stringify({ url: `${site}/${PAGES[count % PAGES.length] ?? ''}${count}`, mode: 'fast' }) }
}

export interface SoakTarget {
  readonly url: string
  readonly key: string
  readonly agent: Agent
  readonly site: string
}

/** Makes the call of this number; answers its status, `left` when it was left on purpose, or `lost`. */
export function soakCall(count: number, { url, key, agent, site }: SoakTarget): Promise<string> {
  const { path, body, headers, cutMs } = callOf(count, site)
  return new Promise((resolve) => {
    const sent = request(url + path, {
      method: 'POST',
      agent: cutMs === undefined ? agent : false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    })
    sent.on('response', (answer) => {
      answer.resume().on('error', () => undefined)
      answer.on('close', () => resolve(answer.complete ? String(answer.statusCode) : cutMs === undefined ? 'lost' : 'left'))
    })
    sent.on('error', () => resolve(cutMs === undefined ? 'lost' : 'left'))
    sent.end(body)
    if (cutMs !== undefined) setTimeout(() => sent.destroy(), cutMs)
  })
}

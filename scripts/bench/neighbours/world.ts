import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { packageRoot } from '../../../core/runtime/root.js'
import { nameServer } from '../../../core/sdk/testkit/dns-zones.js'
import { httpServer, tcpServer } from '../../../core/sdk/testkit/servers.js'
import { wavHeader } from '../files/wav.js'
import { must, startGateway, type Gateway } from '../../gateway/start.js'
import { neighbour, warm, type Quiet, type CallFigures } from './quiet.js'

/** What the calls of a neighbour came to, and what the attacker said of its own. */
interface Round extends CallFigures {
  readonly attacker: string
}

const ECHO = '{"choices":[{"message":{"content":"hello"}}]}'
const PAGE = '<!doctype html><html><head><title>Quiet</title></head><body><h1>Quiet</h1><p>Some words to read.</p></body></html>'
/** A second of silence. */
const SOUND = Buffer.alloc(44 + 176_400)
wavHeader(SOUND.length).copy(SOUND)
/** Headers that are long and all of a kind that redaction checks. */
const LONG_HEADERS = { 'x-trace-id': '-0'.repeat(3_500), 'x-request-id': '-0'.repeat(3_500) }
/** The attack begins before the neighbour's first measured call. */
const LEAD_MS = 1_000
/** What runs programs: gVisor, where it is installed, takes half a second of processor time for each and would fill two processors by itself. */
const PROGRAMS = { CAPSTAN_WATERFALL_CODE_EXECUTE: 'bubblewrap,quickjs' }
/** Limits as they are without settings, of which the gateway of the benches has wider ones. */
const LIMITS = {
  CAPSTAN_LIMIT_KEY_CONCURRENCY: '20',
  CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY: '64',
  CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '20',
  CAPSTAN_SANDBOX_WITHOUT_GROUPS: 'allow',
}

/** Measures a neighbour for so many seconds at a new gateway, beside the attack of this name or alone (null). */
export async function measure(attack: string | null, seconds: number): Promise<Round> {
  const servers = await startServers()
  try {
    const gateway = await startGateway({ upstream: servers.url, env: { ...LIMITS, ...PROGRAMS, ...servers.env } })
    try {
      const quiet = {
        url: gateway.url,
        key: await account(gateway, 'neighbour'),
        page: `${servers.url}/quiet`,
        sound: `${servers.url}/quiet.wav`,
      }
      await warm(quiet)
      if (attack === null) return { ...(await neighbour(quiet, seconds)), attacker: '' }
      return await beside(attack, { gateway, quiet, seconds })
    } finally {
      // A stop waits for load balancers.
      await gateway.kill()
      rmSync(gateway.data, { recursive: true, force: true })
    }
  } finally {
    await servers.close()
  }
}

/**
 * What the gateway talks to: an upstream with a small page and a sound, a vendor that never answers, one that fails with long headers, and a name
 * server that is silent about some names.
 */
async function startServers(): Promise<{ url: string; env: Record<string, string>; close: () => Promise<void> }> {
  const upstream = await httpServer((incoming, response) => {
    const { type, content } =
      incoming.method !== 'GET'
        ? { type: 'application/json', content: ECHO }
        : incoming.url?.endsWith('.wav') === true
          ? { type: 'audio/wav', content: SOUND }
          : { type: 'text/html', content: PAGE }
    incoming.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end(content))
  })
  const failing = await httpServer((incoming, response) => {
    incoming.resume().on('end', () => response.writeHead(500, LONG_HEADERS).end('{}'))
  })
  const hung = await tcpServer((socket) => void socket.resume())
  const names = await nameServer((name) => (name.endsWith('slow.test') ? undefined : null))
  return {
    url: upstream.url,
    env: {
      CAPSTAN_VENDOR_SEARXNG_URL: hung.url,
      CAPSTAN_DNS: names.address,
      CAPSTAN_VENDOR_ZEROBOUNCE_URL: failing.url,
      ZEROBOUNCE_API_KEY: 'bench',
    },
    close: async () => void (await Promise.all([upstream.close(), hung.close(), failing.close(), names.close()])),
  }
}

/** A new account with money; answers a key of it. */
async function account({ url, first }: Gateway, name: string): Promise<string> {
  const token = first?.admin_token ?? ''
  const { id } = await must<{ id: string }>(`${url}/admin/v1/accounts`, token, { name, credits: 1_000_000 })
  return (await must<{ key: string }>(`${url}/admin/v1/accounts/${id}/keys`, token, { rate_limit_per_minute: 100_000 })).key
}

async function beside(attack: string, { gateway, quiet, seconds }: { gateway: Gateway; quiet: Quiet; seconds: number }): Promise<Round> {
  const key = await account(gateway, 'attacker')
  const script = join(packageRoot(), 'dist', 'scripts', 'bench', 'neighbours', 'attacker.js')
  const child = spawn(process.execPath, [script, attack, gateway.url, key, String(seconds * 1_000 + LEAD_MS)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const lines = createInterface(child.stdout)
    const said: string[] = []
    lines.on('line', (line) => said.push(line))
    await Promise.race([
      once(lines, 'line'),
      ended.then(() => Promise.reject(new Error(`the attacker of "${attack}" ended before it began`))),
    ])
    child.stdin.write('go\n')
    await pause(LEAD_MS)
    const result = await neighbour(quiet, seconds)
    await ended
    return { ...result, attacker: said.slice(1).join(' ') }
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL')
  }
}

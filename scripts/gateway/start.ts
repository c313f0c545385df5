import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../core/runtime/root.js'

/** A gateway as an operator starts it: from the build, in a process of its own, its ledger on disk. */
export interface Gateway {
  readonly url: string
  readonly pid: number
  /** Its data folder; deleted by `stop` when it was made here. */
  readonly data: string
  /** Made at the first start on a folder, else null. */
  readonly first: { readonly key: string; readonly admin_token: string } | null
  /** Milliseconds from the start of the process to the line that says it listens. */
  readonly readyMs: number
  /** SIGTERM, and the end of the process. */
  stop(): Promise<void>
  /** SIGKILL, and the end of the process. */
  kill(): Promise<void>
}

interface GatewayOptions {
  /** Address of the upstream behind the capability `bench.echo`. */
  readonly upstream: string
  /** A folder to start on again. */
  readonly data?: string
  readonly env?: Readonly<Record<string, string>>
  /** Folder of another built checkout whose gateway is started instead of this one's. */
  readonly root?: string
  /** Whether its log goes to a pipe that is read and thrown away; without it the log goes to the caller's standard error. */
  readonly discardsLog?: boolean
  /** A command that starts the one behind it, such as one that enters a control group. */
  readonly wrap?: readonly string[]
}

/** Starts the gateway with the capability `bench.echo` and limits that no measurement reaches. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const data = options.data ?? mkdtempSync(join(tmpdir(), 'capstan-measured-'))
  const began = performance.now()
  const root = options.root ?? packageRoot()
  const command = [...(options.wrap ?? []), process.execPath, ...startScript(root).flags, commandLine(root), 'serve', '--json']
  const child = spawn(command[0] ?? '', command.slice(1), {
    stdio: ['ignore', 'pipe', options.discardsLog === true ? 'pipe' : 'inherit'],
    env: { ...process.env, ...startScript(root).env, ...environment(data, options), ...options.env },
  })
  child.stderr?.resume()
  const ready = await readyLine(child)
  return {
    url: ready.url,
    pid: ready.pid,
    data,
    first: ready.first_run,
    readyMs: performance.now() - began,
    stop: async () => {
      await end(child, 'SIGTERM')
      if (options.data === undefined) rmSync(data, { recursive: true, force: true })
    },
    kill: async () => await end(child, 'SIGKILL'),
  }
}

/** The environment and the flags of Node with which `npm start` starts the gateway of that checkout. */
function startScript(root: string): { env: Record<string, string>; flags: string[] } {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const words = scripts.start.split(' ')
  return {
    env: Object.fromEntries(words.slice(0, words.indexOf('node')).map((word) => word.split('='))) as Record<string, string>,
    flags: words.filter((word) => word.startsWith('--')),
  }
}

/** The command line of a build; commits before 2026-11-28 have no bundle, and those before 2026-11-27 have it in core. */
function commandLine(root: string): string {
  const known = ['capstan.js', 'scripts/capstan/cli/main.js', 'core/cli/main.js'].map((file) => join(root, 'dist', file))
  return known.find((file) => existsSync(file)) ?? join(root, 'dist', 'capstan.js')
}

function environment(data: string, { upstream, root = packageRoot() }: GatewayOptions): Record<string, string> {
  return {
    CAPSTAN_DATA: data,
    CAPSTAN_PORT: '0',
    CAPSTAN_PLUGINS: join(root, 'scripts', 'gateway', 'plugin'),
    CAPSTAN_VENDOR_MOCK_URL: upstream,
    CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
    CAPSTAN_LOG_LEVEL: 'error',
    CAPSTAN_LIMIT_KEY_CONCURRENCY: '1000',
    CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY: '512',
    CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1000000',
    CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
  }
}

interface ReadyLine {
  readonly url: string
  readonly pid: number
  readonly first_run: Gateway['first']
}

async function readyLine(child: ChildProcess): Promise<ReadyLine> {
  if (child.stdout === null) throw new Error('the gateway has no standard output')
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the gateway ended with code ${String(code)} before it listened`)
  })
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string]
  failed.catch(() => undefined)
  return JSON.parse(line) as ReadyLine
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

/** A POST with a bearer token; answers status and JSON. */
export async function post(url: string, token: string, body: unknown, signal?: AbortSignal): Promise<{ status: number; json: unknown }> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
  return { status: reply.status, json: await reply.json() }
}

/** The same, and throws unless it succeeded. */
export async function must<T>(url: string, token: string, body: unknown): Promise<T> {
  const { status, json } = await post(url, token, body)
  if (status !== 200) throw new Error(`${url} answered ${status}: ${JSON.stringify(json)}`)
  return json as T
}

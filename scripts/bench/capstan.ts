import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packageRoot } from '../../core/root.js'
import type { Started } from './process.js'

export interface Gateway extends Started {
  readonly keys: readonly string[]
  /** Milliseconds from the start of the process to the line that says it listens. */
  readonly readyMs: number
  /** One paid call with the first key; answers the body. */
  call(path: string, body: unknown): Promise<unknown>
}

/** Starts this gateway from the build as an operator would, with the ledger on disk, and gives its account money and keys. */
export async function startCapstan(about: { upstream: string; keys: number; args?: readonly string[] }): Promise<Gateway> {
  const data = mkdtempSync(join(tmpdir(), 'capstan-bench-'))
  const began = performance.now()
  const child = spawn(process.execPath, [...(about.args ?? []), join(packageRoot(), 'dist', 'core', 'cli', 'main.js'), 'serve', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CAPSTAN_DATA: data,
      CAPSTAN_PORT: '0',
      CAPSTAN_PLUGINS: join(packageRoot(), 'scripts', 'bench', 'plugin'),
      CAPSTAN_VENDOR_MOCK_URL: about.upstream,
      CAPSTAN_ALLOW_PRIVATE: '127.0.0.1',
      CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY: '512',
    },
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const readyMs = performance.now() - began
  const ready = JSON.parse(line) as { url: string; pid: number; first_run: { key: string; admin_token: string } }
  const admin = async (path: string, body: unknown): Promise<{ key: string }> =>
    await post(ready.url + path, ready.first_run.admin_token, body)
  await admin('/admin/v1/accounts/default/grants', { amount: 100_000_000, ref: 'benchmark' })
  const keys: string[] = []
  for (let made = 0; made < about.keys; made++)
    keys.push((await admin('/admin/v1/accounts/default/keys', { rate_limit_per_minute: 100_000 })).key)
  return {
    name: 'capstan',
    url: ready.url,
    pid: ready.pid,
    keys,
    readyMs,
    call: (path, body) => post(ready.url + path, keys[0] ?? '', body),
    stop: async () => {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      await exit
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function post<T>(url: string, key: string, body: unknown): Promise<T> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json: unknown = await reply.json()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${JSON.stringify(json)}`)
  return json as T
}

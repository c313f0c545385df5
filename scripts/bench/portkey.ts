import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { freePort, start, type Started } from '../gateway/process.js'

const VERSION = '1.15.2'

/** Starts the peer the ratios are against, installing it into a temporary folder first; null with a reason when it cannot be had. */
export async function startPortkey(): Promise<{ peer: Started } | { reason: string }> {
  const folder = join(tmpdir(), `capstan-bench-portkey-${VERSION}`)
  try {
    if (!existsSync(join(folder, 'node_modules', '@portkey-ai', 'gateway'))) install(folder)
    const port = await freePort()
    const program = join(folder, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')
    const preload = join(packageRoot(), 'scripts', 'bench', 'loopback.mjs')
    return {
      peer: await start('portkey', `http://127.0.0.1:${port}`, {
        program: process.execPath,
        args: ['--import', preload, program, `--port=${port}`, '--headless'],
        cwd: folder,
      }),
    }
  } catch (error) {
    return { reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) }
  }
}

function install(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `@portkey-ai/gateway@${VERSION}`], {
    cwd: folder,
    stdio: 'ignore',
  })
}

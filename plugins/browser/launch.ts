import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { Fault, type ResourceHost } from '../../core/sdk/index.js'
import { flags, LOOSENING } from './flags.js'

/** A started browser and the one sure way to end it. */
export interface Started {
  readonly browser: Browser
  /** Kills the process and with it everything inside its sandbox. */
  kill(): void
}

const START_MS = 20_000

/** What sh would read as one word. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** The launcher of the sandbox and the folder for this plugin's own small files; made once, used for every browser. */
export interface Ground {
  readonly host: ResourceHost
  readonly launcher: string
  readonly folder: string
}

/** Prepares the sandbox. Throws a `broken` Fault when no browser is installed. */
export async function prepare(host: ResourceHost): Promise<Ground> {
  const program = ['chromium-headless-shell', 'chromium'].find((name) => host.program(name) !== undefined)
  if (program === undefined) throw new Fault('broken', 'no browser is installed: install chromium-headless-shell')
  const launcher = await host.launcher(program, { writable: [] })
  return { host, launcher, folder: await host.folder() }
}

/**
 * Starts one browser inside the sandbox, driven over pipes, its network going through the guard proxy. The browser's own
 * sandbox stays on inside. Throws a `broken` Fault when it does not start.
 */
export async function launch({ host, launcher, folder }: Ground, number: number, heapMb: number): Promise<Started> {
  const script = join(folder, `browser-${number}.sh`)
  const pidFile = join(folder, `browser-${number}.pid`)
  // The script only notes its process id, which stays the same through every exec down to the sandbox.
  await writeFile(script, `#!/bin/sh\necho $$ > ${quoted(pidFile)}\nexec ${quoted(launcher)} "$@"\n`, { mode: 0o700 })
  const { chromium } = await import('playwright-core')
  const kill = async (): Promise<void> => end(await readFile(pidFile, 'utf8').catch(() => ''), host)
  try {
    const browser = await chromium.launch({
      executablePath: script,
      chromiumSandbox: true,
      proxy: { server: host.proxyUrl },
      args: flags(heapMb),
      ignoreDefaultArgs: LOOSENING,
      // The gateway's own environment holds secrets and would be readable in /proc inside.
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/tmp' },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_MS,
    })
    const pid = await readFile(pidFile, 'utf8')
    return { browser, kill: () => end(pid, host) }
  } catch (error) {
    await kill()
    throw new Fault('broken', 'the browser did not start', {
      internal: error instanceof Error ? error.message.slice(0, 2000) : String(error),
      cause: error,
    })
  }
}

function end(pid: string, host: ResourceHost): void {
  const number = Number.parseInt(pid, 10)
  if (!Number.isInteger(number) || number <= 1) return
  try {
    process.kill(number, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH'))
      host.log('the browser could not be killed', { pid: number, error: String(error) })
  }
}

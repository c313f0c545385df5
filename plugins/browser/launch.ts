import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { Fault, type ResourceHost } from '../../core/sdk/index.js'
import { flags, LOOSENING } from './flags.js'
import { mainProcess, renderersOf, statFields, usageOf, zygotesOf, type Renderer, type Usage } from './usage.js'

/** A started browser and the means to kill it. */
export interface Started {
  readonly browser: Browser
  /** Kills the process and everything inside its sandbox. */
  readonly kill: () => void
  /** Processor time of the browser; null when it has ended. */
  readonly usage: () => Promise<Usage | null>
  /** The processes of its pages. */
  readonly renderers: () => Promise<readonly Renderer[]>
  /** Stops or resumes one of them. */
  readonly signal: (renderer: Renderer, signal: 'SIGSTOP' | 'SIGCONT') => void
}

/** A process by its id and its start time in ticks since boot, since ids are reused. */
interface ProcessIdentity {
  readonly pid: number
  readonly birth: string
}

const START_MS = 20_000
const LONGEST_REASON = 2_000

/** Quotes a word for sh. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** A sandbox in which the browsers of one slot are started: its launcher, and a folder for this plugin's own small files. */
export interface LaunchSandbox {
  readonly host: ResourceHost
  readonly launcher: string
  readonly folder: string
}

/** Start options of a browser. */
export interface LaunchOptions {
  readonly args: readonly string[]
  /** Defaults of playwright that are left out. */
  readonly withoutArgs: readonly string[]
  readonly headless: boolean
}

/** Start options of an ordinary headless browser. */
export function ordinary(heapMb: number): LaunchOptions {
  return { args: flags(heapMb), withoutArgs: LOOSENING, headless: true }
}

/**
 * Prepares a sandbox with a user, memory and processor share of its own for the first of these programs that is installed. Throws a `broken`
 * Fault when none is.
 */
export async function prepare(
  host: ResourceHost,
  programs: readonly string[] = ['chromium-headless-shell', 'chromium'],
): Promise<LaunchSandbox> {
  const program = programs.find((name) => host.program(name) !== undefined)
  if (program === undefined) throw new Fault('broken', `no browser is installed: install ${programs[0] ?? ''}`)
  const launcher = await host.launcher(program, { writable: [] })
  return { host, launcher, folder: await host.folder() }
}

/**
 * Starts one browser inside the sandbox, driven over pipes, with its network through the guard proxy. The browser's
 * own sandbox stays enabled inside. Throws a `broken` Fault when it does not start.
 */
export async function launch({ host, launcher, folder }: LaunchSandbox, number: number, options: LaunchOptions): Promise<Started> {
  const script = join(folder, `browser-${number}.sh`)
  const statFile = join(folder, `browser-${number}.stat`)
  // The script records its process, whose id survives every exec down to the sandbox.
  const note = `read -r stat </proc/$$/stat\necho "$stat" > ${quoted(statFile)}`
  await writeFile(script, `#!/bin/sh\n${note}\nexec ${quoted(launcher)} "$@"\n`, { mode: 0o700 })
  const { default: chromium } = await import('./driver.cjs')
  try {
    const browser = await chromium.launch({
      executablePath: script,
      chromiumSandbox: true,
      proxy: { server: host.proxyUrl },
      headless: options.headless,
      args: [...options.args],
      ignoreDefaultArgs: [...options.withoutArgs],
      // The gateway's own environment contains secrets and would be readable in /proc inside.
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: '/tmp' },
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_MS,
    })
    const identity = identityIn(statFile)
    const main = identity === null ? null : await mainProcess(identity.pid)
    return {
      browser,
      kill: () => end(identity, host),
      usage: () => Promise.resolve(main === null ? null : usageOf(main)),
      renderers: renderersBelow(main),
      signal: (renderer, signal) => send(renderer, signal, host),
    }
  } catch (error) {
    end(identityIn(statFile), host)
    throw new Fault('broken', 'the browser did not start', { internal: reasonOf(error), cause: error })
  } finally {
    await Promise.all([script, statFile].map((file) => rm(file, { force: true })))
  }
}

/** Playwright's message for a failed start, without the line of all flags, which would hide the browser's own message. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  // The call log repeats the message.
  const lines = (message.split('\nCall log:')[0] ?? '').split('\n').filter((line) => !line.includes('<launching>'))
  return lines.join('\n').slice(-LONGEST_REASON)
}

/** The process whose `/proc/PID/stat` was written to a file; null when there is no such file. */
function identityIn(file: string): ProcessIdentity | null {
  const text = textOf(file)
  const [pid, birth] = [Number.parseInt(text, 10), statFields(text)[19]]
  return Number.isInteger(pid) && pid > 1 && birth !== undefined ? { pid, birth } : null
}

/** Chromium starts its zygotes before it answers and keeps them until it ends, so they are searched once. */
function renderersBelow(main: number | null): () => Promise<readonly Renderer[]> {
  let zygotes: Promise<number[]> | null = null
  return async () => (main === null ? [] : renderersOf(await (zygotes ??= zygotesOf(main))))
}

function end(identity: ProcessIdentity | null, host: ResourceHost): void {
  if (identity !== null) send(identity, 'SIGKILL', host)
}

/** Check and signal run in the same turn of the event loop: Node reaps no child in between, so the id cannot have been reused. */
function send({ pid, birth }: ProcessIdentity, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT', host: ResourceHost): void {
  if (statFields(textOf(`/proc/${pid}/stat`))[19] !== birth) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!isAbsent(error)) host.log('a process of the browser could not be signalled', { pid, signal, error: String(error) })
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return ''
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')
}

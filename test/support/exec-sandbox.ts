import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'mocha'
import { Cancel } from '../../core/runtime/cancel.js'
import { type Clock, systemClock } from '../../core/runtime/clock.js'
import type { SandboxOptions } from '../../core/exec/host.js'
import { createSandbox } from '../../core/exec/sandbox.js'
import type { Sandbox } from '../../core/exec/types.js'
import { findProgram } from '../../core/exec/programs.js'
import { Fault } from '../../core/sdk/index.js'
import type { ExecOptions, ExecResult } from '../../core/sdk/index.js'
import { skip } from './needs.js'

/** Skips the test where a program is missing, with its name; in CI a missing program is a failure. */
export function needs(context: Context, ...programs: readonly string[]): void {
  const missing = programs.filter((name) => findProgram(name, undefined) === undefined)
  if (missing.length === 0) return
  if (process.env['CI'] === 'true') throw new Error(`in CI these programs must be installed: ${missing.join(', ')}`)
  skip(context, `${missing.join(', ')}: not installed`)
}

/** A call with so many milliseconds left. */
export function callOf(ms = 20_000): Cancel {
  return new Cancel(systemClock, systemClock.monotonic() + ms)
}

export interface TestSandbox {
  readonly sandbox: Sandbox
  /** A host folder that other users may enter. */
  readonly folder: string
  readonly logs: string[]
  run(program: string, args: readonly string[], options?: ExecOptions, cancel?: Cancel): Promise<TextResult>
  close(): Promise<void>
}

/** A result with its streams as text. */
export interface TextResult extends Omit<ExecResult, 'stdout' | 'stderr'> {
  readonly out: string
  readonly err: string
}

/** A sandbox on the real machine. */
export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-exec-test-'))
  await chmod(folder, 0o755)
  const logs: string[] = []
  const sandbox = createSandbox({
    clock: systemClock,
    log: (message, fields) => logs.push(`${message} ${JSON.stringify(fields)}`),
    programs: () => undefined,
    slots: 4,
    proxySocket: () => Promise.reject(new Error('no proxy in this test')),
    protectedPaths: [],
    ...options,
  })
  return {
    sandbox,
    folder,
    logs,
    run: async (program, args, how = {}, cancel = callOf()) => {
      const { stdout, stderr, ...rest } = await sandbox.run(program, args, how, cancel)
      return { ...rest, out: Buffer.from(stdout).toString('utf8'), err: Buffer.from(stderr).toString('utf8') }
    },
    close: async () => {
      await sandbox.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The Fault a promise rejects with; fails when it does not. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  try {
    await promise
  } catch (error) {
    if (Fault.is(error)) return error
    throw error
  }
  throw new Error('expected a Fault')
}

/** A clock that does not advance until a test moves it. */
export class StillClock implements Clock {
  #now = 0
  #timers = new Set<{ at: number; every: number | null; callback: () => void }>()

  now = (): number => this.#now
  monotonic = (): number => this.#now
  after = (ms: number, callback: () => void): (() => void) => this.#add(ms, null, callback)
  every = (ms: number, callback: () => void): (() => void) => this.#add(ms, ms, callback)

  pass(ms: number): void {
    this.#now += ms
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      if (timer.every === null) this.#timers.delete(timer)
      else timer.at = this.#now + timer.every
      timer.callback()
    }
  }

  #add(ms: number, every: number | null, callback: () => void): () => void {
    const timer = { at: this.#now + ms, every, callback }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }
}

/** Processes of this machine whose command line contains a text, or starts with it. */
export async function processesWith(text: string, where: 'anywhere' | 'start' = 'anywhere'): Promise<number[]> {
  const { readdir, readFile } = await import('node:fs/promises')
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid)
  const lines = await Promise.all(
    pids.map(async (pid) => (existsSync(`/proc/${pid}`) ? readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : '')),
  )
  const matches = (line = ''): boolean => (where === 'start' ? line.startsWith(text) : line.includes(text))
  return pids.filter((_, index) => matches(lines[index]))
}

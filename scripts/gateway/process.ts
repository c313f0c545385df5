import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'

/** A server that the benchmark started, and what the kernel says of it. */
export interface Started {
  readonly name: string
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Ticks of /proc/<pid>/stat a second. */
const TICKS = 100

/** Starts a program and waits until its address answers. */
export async function start(
  name: string,
  url: string,
  command: { program: string; args: readonly string[]; env?: Record<string, string>; cwd?: string },
): Promise<Started> {
  const child = spawn(command.program, command.args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...command.env },
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
  })
  await answering(child, url)
  return { name, url, pid: child.pid ?? 0, stop: () => ended(child) }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

/** Processor time of a process in milliseconds, all threads. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

/** Resident memory of a process in MiB. */
export function residentMib(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib ?? 0) / 1024
}

/** Peak resident memory of a process since `markPeak`, in MiB. */
export function peakMib(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}

/** Peak resident memory counts from now on (Linux: proc_pid_clear_refs). */
export function markPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

async function answering(child: ChildProcess, url: string): Promise<void> {
  const giveUp = Date.now() + 20_000
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server for ${url} ended with code ${child.exitCode}`)
    const reply = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
    await reply?.arrayBuffer()
    if (reply !== null) return
    if (Date.now() > giveUp) throw new Error(`nothing answers at ${url}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const kill = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(kill)
}

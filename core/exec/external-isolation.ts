import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable, type Writable } from 'node:stream'
import type { Cancel } from '../runtime/cancel.js'
import type { Clock } from '../runtime/clock.js'
import { type ExecOptions, type ExecResult, Fault, type HostView } from '../sdk/index.js'
import { SYSTEM_FILES, systemLinks } from './bwrap-args.js'
import { Capture, feed } from './streams.js'
import { Collector } from './collect.js'
import type { SandboxOptions } from './host.js'
import { checkInputFiles, type InputFile, isInMemory } from './input-files.js'
import { withSpace, jobFolder } from './job-folder.js'
import { findProgram, programFolders } from './programs.js'
import { childEnv, killQuietly, spawned } from './spawned.js'
import { tarOf } from './tar-writer.js'
import { placesOf, shownFolders } from './view.js'

/** The options that determine the view of a program. */
type ViewOptions = Pick<SandboxOptions, 'programs' | 'protectedPaths' | 'coveredFolders'>

/**
 * The part of this machine that a program with its own isolation may see: the same as in the sandbox. Throws Fault `missing` for a program
 * that is not installed, `broken` for one whose folder must not be visible.
 */
export function hostView(options: ViewOptions, name: string): HostView {
  const { programs, protectedPaths, coveredFolders = [] } = options
  const program = findProgram(name, programs(name))
  if (program === undefined) throw new Fault('missing', `The program ${name} is not installed here.`)
  const own = [
    '/usr',
    ...SYSTEM_FILES.filter((path) => existsSync(path)),
    ...shownFolders(options, programFolders(program, coveredFolders)),
  ]
  const shown = [
    ...own.map((path) => ({ at: path, from: path })),
    ...systemLinks().map((link) => ({ at: `/${link}`, from: `/usr/${link}` })),
  ]
  return { program, places: placesOf(shown, [...protectedPaths, ...coveredFolders]) }
}

/**
 * The part of a stream before a mark; the part after it is passed to `onRest`, which may return a promise to wait for before the next
 * piece. Without the mark the whole stream.
 */
export function divided(stream: Readable, mark: string, onRest: (chunk: Buffer) => void | Promise<void>): Readable {
  const before = new PassThrough()
  const wanted = Buffer.from(mark)
  let held = Buffer.alloc(0)
  let found = false
  const rest = (chunk: Buffer): void => {
    const work = onRest(chunk)
    if (!(work instanceof Promise)) return
    stream.pause()
    void work.finally(() => stream.resume())
  }
  stream.on('data', (chunk: Buffer) => {
    if (found) return rest(chunk)
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const at = bytes.indexOf(wanted)
    found = at >= 0
    const end = found ? at : bytes.length - beginning(bytes, wanted)
    held = found ? Buffer.alloc(0) : Buffer.from(bytes.subarray(end))
    if (end > 0) before.write(bytes.subarray(0, end))
    if (found) rest(bytes.subarray(at + wanted.length))
  })
  // `close` follows the error, and what was read before is kept.
  stream.on('error', () => undefined)
  stream.once('close', () => before.end(held))
  return before
}

/** Number of trailing bytes that may be the beginning of the mark. */
function beginning(bytes: Buffer, mark: Buffer): number {
  const most = Math.min(bytes.length, mark.length - 1)
  for (let length = most; length > 0; length--) if (bytes.subarray(bytes.length - length).equals(mark.subarray(0, length))) return length
  return 0
}

const DEFAULT_OUTPUT = 1024 * 1024
const DEFAULT_DISK_MB = 256
const TIME_CODE = 124
const KILLED_CODE = 137
/** A program that prints this many bytes more than are kept is stopped. */
const FLOOD = 32 * 1024 * 1024
/** Time to read the pipes of a program that has ended, in milliseconds. */
const PIPES_MS = 1_000
/** Time to collect the files once the program inside has ended, in milliseconds. */
const COLLECT_MS = 5_000

/** The environment of a tool. */
interface ExternalHost extends ViewOptions {
  readonly clock: Clock
}

/**
 * Runs a program that provides the isolation itself (a container tool): with a near-empty environment, its own working folder, a time
 * limit and output limits, but outside our sandbox, in which it could not work. Files go in and out as streams, so that nothing the
 * program inside writes is stored on the host. Throws Fault `broken` when it cannot be started.
 */
export async function runExternal(
  host: ExternalHost,
  command: { program: string; args: readonly string[] },
  options: ExecOptions,
  cancel: Cancel,
): Promise<ExecResult> {
  if (!(options.files ?? []).every(isInMemory) || options.stdout !== undefined || options.collect?.into !== undefined)
    throw new TypeError('a program with isolation external cannot read or write files of the call')
  if (options.onLine !== undefined) throw new TypeError('a program with isolation external does not support onLine')
  checkInputFiles(options.files ?? [], options.diskMb ?? DEFAULT_DISK_MB)
  // The container's user may enter the inner folder; the outer one excludes every other user of this machine.
  const outer = await jobFolder()
  const folder = join(outer, 'job')
  try {
    const files = options.toolFiles?.((program) => hostView(host, program)) ?? []
    await withSpace(() => furnish(folder, files))
    return await watched(host.clock, { ...command, folder }, options, cancel)
  } finally {
    await rm(outer, { recursive: true, force: true })
  }
}

async function furnish(folder: string, files: readonly InputFile[]): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o755)
  await Promise.all(
    files.map(async ({ name, data }) => {
      await writeFile(join(folder, name), data)
      // The umask of the gateway could make it unreadable for the container's user.
      await chmod(join(folder, name), 0o644)
    }),
  )
}

async function watched(
  clock: Clock,
  about: { program: string; args: readonly string[]; folder: string },
  options: ExecOptions,
  cancel: Cancel,
): Promise<ExecResult> {
  const began = clock.monotonic()
  let outcomeAt: number | null = null
  let stopTimer = (): void => undefined
  const tool = await startTool(about, options.env ?? {})
  const collector = new Collector(options, options.diskMb ?? DEFAULT_DISK_MB, {
    code: () => {
      outcomeAt = clock.monotonic()
      stopTimer()
      stopTimer = clock.after(COLLECT_MS, () => {
        collector.end()
        tool.kill()
      })
    },
    over: () => tool.kill(),
  })
  let stopped: ExecResult['stopped'] = null
  const stop = (why: NonNullable<ExecResult['stopped']>): void => {
    if (tool.kill()) stopped ??= why
  }
  const carries = options.files !== undefined || options.collect !== undefined
  const max = options.maxOutput ?? DEFAULT_OUTPUT
  const limits = { max, limit: max + FLOOD, onLimit: () => stop('output') }
  const stdout = new Capture(carries ? carriedOutput(tool, (options.files ?? []).filter(isInMemory), collector) : tool.stdout, limits)
  const stderr = new Capture(tool.stderr, limits)
  const forget = cancel.onCancel(() => stop('aborted'))
  stopTimer = clock.after(Math.min(options.timeoutMs ?? Infinity, cancel.timeLeft()), () => stop('time'))
  try {
    const fed = carries ? null : feed(tool.stdin, options.stdin, () => stop('aborted'))
    const code = await tool.exited
    await fed?.settled()
    // A helper process that outlives the tool keeps the pipes open.
    const stopWaiting = clock.after(PIPES_MS, () => [tool.stdout, tool.stderr].forEach((pipe) => pipe.destroy()))
    await Promise.all([stdout.ended, stderr.ended]).finally(stopWaiting)
    return {
      code: stopped === 'time' ? TIME_CODE : (collector.code ?? code ?? KILLED_CODE),
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      stdoutCut: stdout.cut,
      stderrCut: stderr.cut,
      stopped,
      bootMs: 0,
      runMs: (outcomeAt ?? clock.monotonic()) - began,
      ...(await collector.collected()),
      stdoutFile: null,
      ...(carries ? { endSeen: collector.code !== null } : {}),
    }
  } finally {
    forget()
    stopTimer()
  }
}

/** Sends the files and returns the program's output; the collector gets the rest. The program never sees the mark. */
function carriedOutput(tool: ExternalTool, files: readonly InputFile[], collector: Collector): Readable {
  const mark = randomUUID()
  const input = function* (): Generator<Uint8Array> {
    yield Buffer.from(`${mark}\n`)
    yield* tarOf(files)
  }
  Readable.from(input()).pipe(tool.stdin)
  return divided(tool.stdout, mark, (chunk) => collector.write(chunk))
}

/** Variables with which a container tool finds its own service; nothing else of our environment is passed. */
const PASSED = ['XDG_RUNTIME_DIR', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG']

/** A running container tool. */
interface ExternalTool {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Its exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>
  /** Kills its process group; false when it has already ended. */
  readonly kill: () => boolean
}

/** Starts a tool in its folder. Rejects with Fault `broken` when the program does not exist, Problem `overloaded` without free file descriptors. */
async function startTool(
  about: { readonly program: string; readonly args: readonly string[]; readonly folder: string },
  env: Readonly<Record<string, string>>,
): Promise<ExternalTool> {
  const child = spawned(about.program, about.args, {
    cwd: about.folder,
    env: childEnv(environment(env)),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new TypeError('the program was started without pipes')
  // A tool that ends early does not read all its input.
  stdin.on('error', () => undefined)
  await start(child)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const kill = (): boolean => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return false
    killQuietly(-child.pid)
    return true
  }
  return { stdin, stdout, stderr, exited, kill }
}

function start(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) =>
      reject(new Fault('broken', 'the program could not be started', { internal: String(error), cause: error })),
    )
  })
}

function environment(given: Readonly<Record<string, string>>): Record<string, string> {
  const variables: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/nonexistent',
    LANG: 'C.UTF-8',
  }
  for (const name of PASSED) {
    const value = process.env[name]
    if (value !== undefined) variables[name] = value
  }
  return { ...variables, ...given }
}

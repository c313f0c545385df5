import type { ChildProcess } from 'node:child_process'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Cancel } from '../cancel.js'
import type { Clock } from '../clock.js'
import { inRoom, jobFolder } from '../job-folder.js'
import { Fault, type ExecOptions, type ExecResult } from '../sdk/index.js'
import { Capture } from './capture.js'
import { childEnv } from './child-env.js'
import { collectFiles } from './collect.js'
import { checkInputFiles } from './input-files.js'
import { killQuietly, spawned } from './spawned.js'

const DEFAULT_OUTPUT = 1024 * 1024
const TIME_CODE = 124
const KILLED_CODE = 137
/** A program that prints this much more than is kept is stopped. */
const FLOOD = 32 * 1024 * 1024
/** Pipes of a program that has ended are read for so long, in milliseconds. */
const PIPES_MS = 1_000
/** Where a container tool finds its own service; everything else of our environment stays outside. */
const PASSED = ['XDG_RUNTIME_DIR', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG']

/**
 * Runs a program that is itself the isolation (a container tool): with a near-empty environment, a folder of its own as working
 * folder, a wall clock and output caps, but not inside our sandbox, which it could not work in. Throws Fault `broken` when it
 * cannot be started.
 */
export async function runOwn(
  clock: Clock,
  command: { program: string; args: readonly string[] },
  options: ExecOptions,
  cancel: Cancel,
): Promise<ExecResult> {
  const files = options.files ?? []
  checkInputFiles(files, options.diskMb ?? 256)
  // The container's user writes into the inner folder; the outer one keeps every other user of this machine out.
  const outer = await jobFolder()
  const folder = join(outer, 'job')
  try {
    await inRoom(() => furnish(folder, files))
    return await watched(clock, { ...command, folder }, options, cancel)
  } finally {
    await rm(outer, { recursive: true, force: true })
  }
}

async function furnish(folder: string, files: NonNullable<ExecOptions['files']>): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o777)
  await Promise.all(
    files.map(async ({ name, data }) => {
      await writeFile(join(folder, name), data)
      // The umask of the gateway would close it to the container's user.
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
  const child = spawned(about.program, about.args, {
    cwd: about.folder,
    env: childEnv(environment(options.env ?? {})),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = exit(child)
  const { stdin, stdout: out, stderr: err } = child
  if (stdin === null || out === null || err === null) throw new TypeError('the program was started without pipes')
  let stopped: ExecResult['stopped'] = null
  const stop = (why: NonNullable<ExecResult['stopped']>): void => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    stopped ??= why
    killQuietly(-child.pid)
  }
  const max = options.maxOutput ?? DEFAULT_OUTPUT
  const limits = { max, limit: max + FLOOD, onLimit: () => stop('output') }
  const stdout = new Capture(out, limits)
  const stderr = new Capture(err, limits)
  const forget = cancel.onCancel(() => stop('aborted'))
  const stopTimer = clock.after(Math.min(options.timeoutMs ?? Infinity, cancel.timeLeft()), () => stop('time'))
  try {
    stdin.on('error', () => undefined)
    stdin.end(options.stdin ?? Buffer.alloc(0))
    const code = await exited
    // A helper that the tool leaves behind keeps them open.
    const stopWaiting = clock.after(PIPES_MS, () => [out, err].forEach((pipe) => pipe.destroy()))
    await Promise.all([stdout.ended, stderr.ended]).finally(stopWaiting)
    const collected =
      options.collect === undefined
        ? { files: [], left: 0 }
        : await collectFiles(about.folder, options.collect, new Map((options.files ?? []).map(({ name, data }) => [name, data])))
    return {
      code: stopped === 'time' ? TIME_CODE : (code ?? KILLED_CODE),
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      stdoutCut: stdout.cut,
      stderrCut: stderr.cut,
      stopped,
      bootMs: 0,
      runMs: clock.monotonic() - began,
      files: collected.files,
      filesLeft: collected.left,
    }
  } finally {
    forget()
    stopTimer()
  }
}

/** Exit code, or null when a signal ended it. */
function exit(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => resolve(code))
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

import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { Fault } from '../sdk/index.js'
import { childEnv, killQuietly, spawned } from './spawned.js'

/** Variables with which a container tool finds its own service; nothing else of our environment is passed. */
const PASSED = ['XDG_RUNTIME_DIR', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG']

/** A running container tool. */
export interface ExternalTool {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Its exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>
  /** Kills its process group; false when it has already ended. */
  readonly kill: () => boolean
}

/** Starts a tool in its folder. Rejects with Fault `broken` when the program does not exist, Problem `overloaded` without free file descriptors. */
export async function startTool(
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

import type { ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { Fault } from '../sdk/index.js'
import { childEnv } from './child-env.js'
import { killQuietly, spawned } from './spawned.js'

/** Where a container tool finds its own service; everything else of our environment stays outside. */
const PASSED = ['XDG_RUNTIME_DIR', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG']

/** A container tool while it runs. */
export interface ExternalTool {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Its exit code, null when a signal ended it. */
  readonly exited: Promise<number | null>
  /** Kills it with its process group; false when it has ended already. */
  readonly kill: () => boolean
}

/** Starts a tool in its folder. Rejects with Fault `broken` when there is no such program, Problem `overloaded` without file descriptors. */
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
  // A tool that ends early does not read all of its input.
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

import type { ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { Readable, Writable } from 'node:stream'
import { childEnv, killQuietly, spawned } from './spawned.js'
import { bwrapArgs, type BwrapPlan } from './bwrap-args.js'
import type { JobGroup } from './cgroup.js'
import { CHANNEL_FD, STARTED } from './inner-script.js'

const STATUS_FD = 3
const BLOCK_FD = 4
const SECCOMP_FD = 6
const ARGS_FD = 7
const FIRST_FILE_FD = 8
/** Time for bwrap to report its first process before it is killed without it, in milliseconds. */
const UNNAMED_MS = 200
/** Jobs have a lower priority than the gateway. */
const NICENESS = 10

export interface JobSpec {
  readonly bwrap: string
  readonly seccomp: Buffer
  /** Host user, null for the gateway's own. */
  readonly uid: number | null
  /** A descriptor of /dev/null and those that it replaces in the child. */
  readonly cover: { readonly nullFd: number; readonly fds: readonly number[] }
  readonly group: JobGroup | null
  readonly plan: Omit<BwrapPlan, 'files'>
  readonly files: readonly { readonly name: string; readonly data: Uint8Array }[]
  readonly script: string
  readonly command: readonly string[]
}

export interface JobEnd {
  /** The exit code of bwrap: the program's code, or 128 + signal. */
  readonly code: number
  /** False when the program never started: the sandbox failed. */
  readonly started: boolean
  /** The error of applying its limits, else null. */
  readonly failure: unknown
}

/** One bwrap process tree. `kill`, the end of this process and the end of the program end all of it. */
export interface SandboxJob {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Process id of the first process inside, as the host sees it; 0 until known. */
  readonly inside: () => number
  /** Called with each piece of the channel after the start mark; the next one waits for the promise it may return. */
  onChannel(listener: (chunk: Buffer) => void | Promise<void>): void
  readonly started: Promise<boolean>
  /** Resolves after all output was read. Never rejects. */
  readonly ended: Promise<JobEnd>
  kill(): void
}

/** Starts a program under bwrap; it waits until it is in its control group. It inherits no environment and no descriptors of this process. */
export function startJob(spec: JobSpec): SandboxJob {
  const fileFds = spec.files.map(({ name }, index) => ({ fd: FIRST_FILE_FD + index, name }))
  const flags = ['--json-status-fd', String(STATUS_FD), '--block-fd', String(BLOCK_FD), '--seccomp', String(SECCOMP_FD)]
  // Arguments are passed through a descriptor, so that paths and the job's environment are not in the process list.
  const args = [...bwrapArgs({ ...spec.plan, files: fileFds }), ...flags]
  if (args.some((arg) => arg.includes('\0'))) throw new Error('an argument for bwrap contains a zero byte')
  const child = spawned(spec.bwrap, ['--args', String(ARGS_FD), '--', '/bin/sh', '-c', spec.script, 'sh', ...spec.command], {
    // Readable inside as the environment of pid 1.
    env: childEnv({ PATH: '/usr/bin:/bin' }),
    cwd: '/',
    stdio: stdio(spec),
    ...(spec.uid === null ? {} : { uid: spec.uid, gid: spec.uid }),
  })
  writable(child, ARGS_FD).end(`${args.join('\0')}\0`)
  return follow(child, spec)
}

function stdio({ cover, files }: JobSpec): ('pipe' | 'ignore' | number)[] {
  const last = Math.max(FIRST_FILE_FD + files.length - 1, ...cover.fds)
  return Array.from({ length: last + 1 }, (_, fd) => {
    if (fd < FIRST_FILE_FD + files.length) return 'pipe'
    return cover.fds.includes(fd) ? cover.nullFd : 'ignore'
  })
}

function follow(child: ChildProcess, spec: JobSpec): SandboxJob {
  let inside = 0
  let failure: unknown = null
  let channelHead: string | null = ''
  let listener: (chunk: Buffer) => void | Promise<void> = () => undefined
  const release = writable(child, BLOCK_FD)
  // Until the first process inside has set its parent-death signal, it outlives a killed bwrap and waits for it forever. So the kill
  // waits until bwrap has reported that process, and kills it first.
  let killing = false
  const killBoth = (): void => {
    killQuietly(inside)
    child.kill('SIGKILL')
  }
  const kill = (): void => {
    if (killing) return
    killing = true
    if (inside !== 0 || child.exitCode !== null) return killBoth()
    const late = setTimeout(killBoth, UNNAMED_MS)
    child.once('exit', () => clearTimeout(late))
  }
  const join = async (pid: number): Promise<void> => {
    try {
      setPriority(pid, NICENESS)
      await spec.group?.join(pid)
      release.end('x')
    } catch (error) {
      failure = error
      kill()
    }
  }
  readable(child, STATUS_FD).on('data', (chunk: Buffer) => {
    const pid = /"child-pid": (\d+)/.exec(chunk.toString('latin1'))?.[1]
    if (pid === undefined || inside !== 0) return
    inside = Number(pid)
    if (killing) killBoth()
    else void join(inside)
  })
  writable(child, SECCOMP_FD).end(spec.seccomp)
  spec.files.forEach(({ data }, index) => writable(child, FIRST_FILE_FD + index).end(data))
  const started = new Promise<boolean>((resolve) => {
    const channel = readable(child, CHANNEL_FD)
    const deliver = (chunk: Buffer): void => {
      const taking = listener(chunk)
      if (taking === undefined) return
      channel.pause()
      void taking.finally(() => channel.resume())
    }
    channel.on('data', (chunk: Buffer) => {
      if (channelHead === null) return deliver(chunk)
      channelHead += chunk.toString('latin1')
      if (channelHead.length < STARTED.length) return
      const rest = Buffer.from(channelHead.slice(STARTED.length), 'latin1')
      channelHead = null
      resolve(true)
      if (rest.length > 0) deliver(rest)
    })
    channel.once('close', () => resolve(false))
  })
  const ended = new Promise<JobEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: 127, started: false, failure: error }))
    child.once('close', (code, signal) => {
      const killed = signal === null ? null : constants.signals[signal]
      resolve({ code: code ?? 128 + (killed ?? 9), started: channelHead === null, failure })
    })
  })
  return {
    stdin: writable(child, 0),
    stdout: readable(child, 1),
    stderr: readable(child, 2),
    inside: () => inside,
    onChannel: (given) => void (listener = given),
    started,
    ended,
    kill,
  }
}

function readable(child: ChildProcess, fd: number): Readable {
  const stream = child.stdio[fd]
  if (!(stream instanceof Readable)) throw new Error(`descriptor ${fd} of the sandbox is not open`)
  // A child that dies early resets its pipes; `close` reports its end.
  return stream.on('error', () => undefined)
}

function writable(child: ChildProcess, fd: number): Writable {
  const stream = child.stdio[fd]
  if (!isWritable(stream)) throw new Error(`descriptor ${fd} of the sandbox is not open`)
  return stream.on('error', () => undefined)
}

function isWritable(stream: unknown): stream is Writable {
  return stream instanceof Writable || (typeof stream === 'object' && stream !== null && 'end' in stream && 'write' in stream)
}

import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Cancel } from '../runtime/cancel.js'
import { type ExecOptions, type ExecResult, Fault, type ScratchFile } from '../sdk/index.js'
import { Capture, feed } from './streams.js'
import { callFilesOf, Collector } from './collect.js'
import type { SandboxHost } from './host.js'
import { checkInputFiles, isInMemory, type MountedFile } from './input-files.js'
import { jobSpec } from './job-spec.js'
import { type SandboxJob, type JobEnd, startJob } from './job.js'
import { takeLease, type UserLease } from './lease.js'
import type { JobLimits } from './limits.js'
import { NO_NETWORK, proxiedNetwork } from './network.js'
import { Supervisor } from './watchdog.js'
import type { RunOptions } from './types.js'

/** Most characters reported of one line. */
const LONGEST = 1000

/** The delivery of lines to a listener. */
interface Listening {
  /** Throws the error of the listener. */
  settled(): void
}

/**
 * Passes each line of a stream to the listener as it arrives, without its end (LF, CR or both) and cut at 1,000 characters; empty ones are
 * omitted. Once the listener throws it is no longer called, and `onFailure` is called.
 */
function listen(stream: Readable, onLine: (line: string) => void, onFailure: () => void): Listening {
  const decoder = new StringDecoder('utf8')
  let part = ''
  let failure: { readonly error: unknown } | null = null
  const deliver = (line: string): void => {
    if (line === '' || failure !== null) return
    try {
      onLine(line)
    } catch (error) {
      failure = { error }
      onFailure()
    }
  }
  stream.on('data', (chunk: Buffer) => {
    const [first = '', ...others] = decoder.write(chunk).split(/[\r\n]/)
    part = (part + first).slice(0, LONGEST)
    for (const next of others) {
      deliver(part)
      part = next.slice(0, LONGEST)
    }
  })
  return {
    settled: () => {
      deliver(part)
      part = ''
      if (failure !== null) throw failure.error
    },
  }
}

const MIB = 1024 * 1024
const DEFAULT_OUTPUT = MIB
/** A program that prints this many bytes more than are kept is stopped. */
const FLOOD = 32 * MIB
const COLLECT_MS = 5000
/** The same for files that are written to the disk. */
const STORE_MS = 60_000
const TIME_CODE = 124
const KILLED_CODE = 137
const ABORTED_BY_NODE = 134

/** Runs a program in its own sandbox and waits for its end. The caller holds a slot. Throws Fault `broken` when the sandbox failed, `invalid` for wrong input files. */
export async function runJob(
  host: SandboxHost,
  command: { program: string; args: readonly string[] },
  options: RunOptions,
  cancel: Cancel,
): Promise<ExecResult> {
  const limits = jobLimits(options, cancel)
  const files = options.files ?? []
  checkInputFiles(files, limits.diskMb)
  checkWords(command.args, options.env ?? {})
  const mounted = await mountedFiles(options)
  const lease = takeLease(host, limits, { account: cancel.caller })
  try {
    const network = options.network === true ? await proxiedNetwork(host, lease.uid) : NO_NETWORK
    const begin = host.clock.monotonic()
    const { program, args } = command
    const { env = {}, readOnly = [] } = options
    const job = startJob(
      jobSpec(host, lease, {
        ...{ program, args, env, limits, readOnly, network, mounted },
        files: files.filter(isInMemory),
        collect: options.collect !== undefined,
      }),
    )
    return await finish({ host, job, lease, limits, begin }, options, cancel)
  } finally {
    lease.done()
  }
}

async function mountedFiles(options: RunOptions): Promise<MountedFile[]> {
  const mounted: MountedFile[] = []
  for (const { name, data } of options.files ?? [])
    if (!(data instanceof Uint8Array)) mounted.push({ name, from: await callFilesOf(options).expose(data) })
  return mounted
}

/** Throws Fault `invalid` for arguments and variables with a zero byte, and for invalid names of variables. */
export function checkWords(args: readonly string[], env: Readonly<Record<string, string>>): void {
  if ([...args, ...Object.values(env)].some((word) => word.includes('\0')))
    throw new Fault('invalid', 'an argument of the program contains a zero byte')
  const name = Object.keys(env).find((key) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
  if (name !== undefined) throw new Fault('invalid', `${JSON.stringify(name)} is not a valid name of an environment variable`)
}

/** The effective limits: the options, else 512 MiB of memory, 128 processes, 256 MiB of files, and the remaining time of the call. */
function jobLimits(options: ExecOptions, cancel: Cancel): JobLimits {
  const left = Math.max(1, cancel.timeLeft())
  return {
    memoryMb: options.memoryMb ?? 512,
    processes: options.processes ?? 128,
    diskMb: options.diskMb ?? 256,
    timeoutMs: Math.min(options.timeoutMs ?? left, left),
  }
}

/** A running job. */
interface RunningJob {
  readonly host: SandboxHost
  readonly job: SandboxJob
  readonly lease: UserLease
  readonly limits: JobLimits
  readonly begin: number
}

/** Waits for the end of a job, within its limits. Throws as `runJob`. */
export async function finish({ host, job, lease, limits, begin }: RunningJob, options: RunOptions, cancel: Cancel): Promise<ExecResult> {
  const { clock } = host
  const max = options.maxOutput ?? DEFAULT_OUTPUT
  const supervisor = new Supervisor(clock, job, lease, { limits, cancel })
  const flood = { max, limit: max + FLOOD, onLimit: () => supervisor.stop('output') }
  const stdout = options.stdout === undefined ? new Capture(job.stdout, flood) : null
  const stderr = new Capture(job.stderr, flood)
  const stored = options.stdout !== 'scratch' ? null : storeOutput(job, options, () => supervisor.stop('output'))
  if (typeof options.stdout === 'function') options.stdout(job.stdout)
  const listening = options.onLine === undefined ? [] : listenTo(job, options.stdout === undefined, options.onLine, supervisor)
  const fed = feed(job.stdin, options.stdin, () => supervisor.stop('aborted'))
  const started = job.started.then(() => clock.monotonic())
  let outcomeAt = 0
  const endCollecting = (): void => {
    collector.end()
    job.kill()
  }
  const collector = new Collector(options, limits.diskMb, {
    code: () => {
      outcomeAt = clock.monotonic()
      supervisor.extend(options.collect?.into === undefined ? COLLECT_MS : STORE_MS, endCollecting)
    },
    over: () => job.kill(),
  })
  job.onChannel((chunk) => collector.write(chunk))
  try {
    const end = await job.ended
    await fed.settled()
    for (const each of listening) each.settled()
    if (!end.started && supervisor.stopped === null) throw sandboxFailed(end, stderr.bytes())
    const bootEnd = await started
    const runEnd = collector.code === null ? clock.monotonic() : outcomeAt
    const verdict = judge(collector.code ?? end.code, supervisor, lease, stderr.bytes())
    // The gateway's own checks of the sandbox have no caller.
    if (cancel.caller !== '' && (verdict.stopped === 'memory' || verdict.stopped === 'output')) host.use.exceeded(cancel.caller)
    return {
      ...verdict,
      stdout: stdout?.bytes() ?? Buffer.alloc(0),
      stderr: stderr.bytes(),
      stdoutCut: stdout?.cut ?? false,
      stderrCut: stderr.cut,
      bootMs: bootEnd - begin,
      runMs: Math.max(0, runEnd - bootEnd),
      ...(await collector.collected()),
      stdoutFile: stored === null ? null : await stored,
    }
  } finally {
    supervisor.done()
  }
}

function listenTo(job: SandboxJob, both: boolean, onLine: (line: string) => void, supervisor: Supervisor): Listening[] {
  return [job.stderr, ...(both ? [job.stdout] : [])].map((stream) => listen(stream, onLine, () => supervisor.stop('aborted')))
}

/** Writes standard output to the call's disk, with backpressure. Calls back when it cannot be written. */
function storeOutput(job: SandboxJob, options: RunOptions, onFailure: () => void): Promise<ScratchFile> {
  const stored = callFilesOf(options).write(job.stdout, options.maxOutput)
  stored.catch(onFailure)
  return stored
}

function judge(code: number, supervisor: Supervisor, lease: UserLease, stderr: Buffer): { code: number; stopped: ExecResult['stopped'] } {
  if (supervisor.stopped === 'time') return { code: TIME_CODE, stopped: 'time' }
  if (supervisor.stopped !== null) return { code: KILLED_CODE, stopped: supervisor.stopped }
  const outOfHeap = code === ABORTED_BY_NODE && stderr.includes('heap out of memory')
  const killed = code !== 0 && lease.group?.outOfMemory() === true
  return outOfHeap || killed ? { code: KILLED_CODE, stopped: 'memory' } : { code, stopped: null }
}

/** The Fault of a sandbox that failed before it started its program. */
export function sandboxFailed(end: JobEnd, stderr: Buffer): Fault {
  // bwrap's own message says more than the error of joining an ended process.
  const words = stderr.toString('utf8').trim().slice(0, 500)
  const reason = words !== '' ? words : String(end.failure)
  return new Fault('broken', 'the sandbox could not start the program', { internal: `bwrap ended with ${end.code}: ${reason}` })
}

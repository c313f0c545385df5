import { openSync, readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '../runtime/clock.js'
import { recentlyUsed } from '../runtime/recent.js'
import { randomBytes } from 'node:crypto'
import { findGroups, type Groups } from './cgroup.js'
import { JobUsers } from './job-users.js'
import { seccompArch, seccompFilter } from './seccomp.js'
import { Semaphore } from '../runtime/semaphore.js'

const CLOSE_ON_EXEC = 0o2000000

/**
 * Descriptors above 2 that a child of this process would inherit. Node opens its own close-on-exec; these come from the parent of the
 * gateway and could be a way out of the sandbox.
 */
export function inheritedDescriptors(folder = '/proc/self'): number[] {
  return readdirSync(`${folder}/fd`)
    .map(Number)
    .filter((fd) => fd > 2 && inherits(folder, fd))
}

function inherits(folder: string, fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`${folder}/fdinfo/${fd}`, 'utf8'))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0
  } catch (error) {
    // The descriptor of the listing itself is closed by now.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Time in which a use fades to a third, in milliseconds. */
const FADE_MS = 4_000
/** Average processors used by programs of one account above which its next ones start in the background. */
const MUCH = 0.6
const MOST_ACCOUNTS = 10_000

/** Recent processor time of programs by account, decaying with time. */
export class ProcessorUse {
  readonly #clock: Clock
  readonly #uses = recentlyUsed<{ readonly at: number; readonly ms: number }>(MOST_ACCOUNTS)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(account: string, ms: number): void {
    if (ms > 0) this.#uses.set(account, { at: this.#clock.monotonic(), ms: this.#of(account) + ms })
  }

  /** Counts a program that was ended for its memory or output: the account's next ones start in the background. */
  exceeded(account: string): void {
    this.add(account, Math.max(0, 1.5 * MUCH * FADE_MS - this.#of(account)))
  }

  isHeavy(account: string): boolean {
    return this.#of(account) > MUCH * FADE_MS
  }

  #of(account: string): number {
    const use = this.#uses.get(account)
    return use === undefined ? 0 : use.ms * Math.exp((use.at - this.#clock.monotonic()) / FADE_MS)
  }
}

type SandboxLog = (message: string, fields?: Readonly<Record<string, unknown>>) => void

export interface SandboxOptions {
  readonly clock: Clock
  readonly log: SandboxLog
  /** The operator's path of a program. */
  readonly programs: (name: string) => string | undefined
  /** Concurrent jobs; others wait. Of two or more, one is reserved for accounts without a running job. */
  readonly slots: number
  /**
   * Path of a socket on which the guard proxy listens, accessible to this host user only (null: the gateway's own); called when a job
   * needs the network.
   */
  readonly proxySocket: (uid: number | null) => Promise<string>
  /** Never visible inside: data, configuration, secrets. Nothing below them can be made visible by name either. */
  readonly protectedPaths: readonly string[]
  /** Hidden where a wider folder is visible; folders below them can be made visible by name. None by default. */
  readonly coveredFolders?: readonly string[]
  /** Without a memory group: `one-account` refuses programs while several accounts are enabled; default `allow`. */
  readonly withoutGroups?: 'one-account' | 'allow'
  /** The number of enabled accounts, at most two. */
  readonly enabledAccounts?: () => Promise<number>
  /** For tests: replaces the machine's control groups. */
  readonly groups?: Groups
  /** For tests: MiB of a launched program without a memory group, 2048 by default. */
  readonly launchedMemoryMb?: number
}

/** State shared by all jobs of this process. */
export interface SandboxHost extends SandboxOptions {
  readonly bwrap: string
  readonly seccomp: { readonly job: Buffer; readonly browser: Buffer }
  readonly users: JobUsers
  readonly groups: Groups
  readonly cover: { readonly nullFd: number; readonly fds: readonly number[] }
  readonly places: Semaphore
  readonly use: ProcessorUse
  /** Users and groups that are being released. */
  readonly ending: Set<Promise<void>>
  /** Returns a unique name of a group on this machine. */
  readonly nextName: () => string
}

/** The sandbox host of this machine, or a string that says what is missing. */
export function prepareHost(options: SandboxOptions, bwrap: string | undefined): SandboxHost | string {
  const arch = seccompArch()
  if (process.platform !== 'linux') return `the sandbox needs Linux, this is ${process.platform}`
  if (arch === null) return `the sandbox has no system call list for ${process.arch}, only for x64 and arm64`
  if (bwrap === undefined) return 'bubblewrap is missing: install the Debian package bubblewrap, or set CAPSTAN_PROGRAM_BWRAP to its path'
  let count = 0
  // Two sandboxes of one process share the folder of groups.
  const mark = randomBytes(4).toString('hex')
  return {
    ...options,
    bwrap,
    seccomp: { job: seccompFilter(arch, 'job'), browser: seccompFilter(arch, 'browser') },
    users: new JobUsers(),
    groups: options.groups ?? findGroups(),
    cover: { nullFd: openSync('/dev/null', 'r'), fds: inheritedDescriptors() },
    places: new Semaphore(options.clock, options.slots, { keepsOne: true }),
    use: new ProcessorUse(options.clock),
    ending: new Set(),
    nextName: () => `capstan-job-${process.pid}-${mark}-${++count}`,
  }
}

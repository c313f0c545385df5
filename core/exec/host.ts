import { randomBytes } from 'node:crypto'
import { openSync } from 'node:fs'
import type { Clock } from '../runtime/clock.js'
import { findGroups } from './cgroup.js'
import type { Groups } from './cgroup.js'
import { inheritedDescriptors } from './inherited.js'
import { JobUsers } from './job-users.js'
import { ProcessorUse } from './processor-use.js'
import { seccompArch, seccompFilter } from './seccomp.js'
import { Semaphore } from '../runtime/semaphore.js'

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
  /** Without a memory group: `one-account` refuses programs of callers while more than one account is enabled; `allow` by default. */
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

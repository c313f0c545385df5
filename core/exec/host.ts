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
  /** Jobs at once; others wait. Of two or more, one is kept for accounts that run none. */
  readonly slots: number
  /**
   * Path of a socket on which the guard proxy listens, where this host user alone (null: the gateway's own) can reach it; asked for when a
   * job wants the network.
   */
  readonly proxySocket: (uid: number | null) => Promise<string>
  /** Never visible inside, whatever else is shown: data, configuration, secrets. Nothing below them may be shown by name either. */
  readonly protectedPaths: readonly string[]
  /** Hidden where a wider folder is shown; folders below them may be shown by name. None by default. */
  readonly coveredFolders?: readonly string[]
  /** Without a memory group: `one-account` refuses programs of callers while more than one account is enabled; `allow` by default. */
  readonly withoutGroups?: 'one-account' | 'allow'
  /** Enabled accounts, counted no further than two. */
  readonly enabledAccounts?: () => Promise<number>
  /** For tests: other control groups than the machine's. */
  readonly groups?: Groups
  /** For tests: MiB of a launched program where no memory group is, 2048 by default. */
  readonly launchedMemoryMb?: number
}

/** What all jobs of this process share. */
export interface SandboxHost extends SandboxOptions {
  readonly bwrap: string
  readonly seccomp: { readonly job: Buffer; readonly browser: Buffer }
  readonly users: JobUsers
  readonly groups: Groups
  readonly cover: { readonly nullFd: number; readonly fds: readonly number[] }
  readonly places: Semaphore
  readonly use: ProcessorUse
  /** Users and groups on their way back. */
  readonly ending: Set<Promise<void>>
  /** A name no other group on this machine has. */
  readonly nextName: () => string
}

/** Collects what this machine offers; a string says what is missing. */
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

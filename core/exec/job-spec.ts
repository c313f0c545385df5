import { basename } from 'node:path'
import { SANDBOX_PATH } from './bwrap-args.js'
import type { WarmProgram } from '../sdk/index.js'
import type { SandboxHost } from './host.js'
import type { MountedFile } from './input-files.js'
import { innerScript, warmScript } from './inner-script.js'
import type { JobSpec } from './job.js'
import type { UserLease } from './lease.js'
import { SHARED_MB, heapMb, type JobLimits, limited } from './limits.js'
import { type JobNetwork, NO_NETWORK } from './network.js'
import { programFolders } from './programs.js'
import { shownFolders } from './view.js'

/** The parts that differ between jobs. */
export interface JobWork {
  readonly program: string
  readonly args: readonly string[]
  /** In addition to the variables of every job. */
  readonly env?: Readonly<Record<string, string>>
  readonly limits: JobLimits
  /** Visible host folders in addition to the program's own. */
  readonly readOnly: readonly string[]
  /** By default none. */
  readonly network?: JobNetwork
  readonly files?: JobSpec['files']
  readonly mounted?: readonly MountedFile[]
  /** Collects files at the end. */
  readonly collect?: boolean
  /** The program is started before its job. */
  readonly warm?: Pick<WarmProgram, 'ready' | 'job'>
}

/** The specification of a job: nothing is visible or reachable except what `work` names. */
export function jobSpec(host: SandboxHost, lease: UserLease, work: JobWork): JobSpec {
  const { program, args, limits, network = NO_NETWORK, warm } = work
  const proxied = network.socket !== null
  return {
    bwrap: host.bwrap,
    seccomp: host.seccomp.job,
    uid: lease.uid,
    cover: host.cover,
    group: lease.group,
    files: work.files ?? [],
    script:
      warm === undefined
        ? innerScript({ network: proxied, collect: work.collect ?? false })
        : warmScript({ network: proxied, job: warm.job }),
    command: [...(warm === undefined ? [] : [warm.ready]), ...limited(program, args, limits, host.groups.controllers.has('memory'))],
    plan: {
      shareNet: false,
      noUserNamespaces: true,
      diskMb: limits.diskMb,
      sharedMb: SHARED_MB,
      readOnly: shownFolders(host, [...programFolders(program, host.coveredFolders), ...network.readOnly, ...work.readOnly]),
      writable: [],
      mounted: work.mounted ?? [],
      hidden: [...host.protectedPaths, ...(host.coveredFolders ?? [])],
      socket: network.socket,
      env: { ...baseEnv(program, limits), ...network.env, ...work.env },
    },
  }
}

/** The environment inside, without anything of the gateway's own. */
function baseEnv(program: string, limits: JobLimits): Record<string, string> {
  const node = basename(program) === 'node' ? { NODE_OPTIONS: `--max-old-space-size=${heapMb(limits.memoryMb)}` } : {}
  return { PATH: SANDBOX_PATH, HOME: '/job', TMPDIR: '/tmp', LANG: 'C.UTF-8', ...node }
}

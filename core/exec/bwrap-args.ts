import { existsSync } from 'node:fs'
import type { MountedFile } from './input-files.js'
import { viewArgs } from './view.js'

/** The file systems, namespaces and limits of a sandbox. */
export interface BwrapPlan {
  /** True for programs driven over pipes that open their own sockets; otherwise it has its own network namespace with loopback only. */
  readonly shareNet: boolean
  /** False only for Chromium, which builds its own sandbox from user namespaces. */
  readonly noUserNamespaces: boolean
  /** MiB of the one writable file system (`/job`, in which `/tmp` lives). */
  readonly diskMb: number
  /** MiB of `/dev/shm`. */
  readonly sharedMb: number
  readonly readOnly: readonly string[]
  readonly writable: readonly string[]
  /** Host paths to hide where a folder above them is visible, including `/usr`. */
  readonly hidden: readonly string[]
  /** A file on a descriptor, copied into the job folder. */
  readonly files: readonly { readonly fd: number; readonly name: string }[]
  /** Files of the host to which the job folder has links. */
  readonly mounted: readonly MountedFile[]
  /** A host socket and its place inside. */
  readonly socket: { readonly from: string; readonly to: string } | null
  readonly env: Readonly<Record<string, string>>
}

const JOB_FOLDER = '/job'
/** Place of mounted files: outside the job folder, so that they are not collected with the files made there. */
const MOUNTED_FOLDER = '/files'
export const SANDBOX_PATH = '/usr/local/bin:/usr/bin:/bin'
const MIB = 1024 * 1024
/** System files of the host that every program sees, if they exist. */
export const SYSTEM_FILES = [
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/ca-certificates',
  '/etc/ld.so.cache',
  '/etc/fonts',
  '/etc/libreoffice',
  '/etc/chromium',
  '/etc/chromium.d',
  '/etc/localtime',
  '/etc/magic',
  '/etc/ImageMagick-6',
  '/etc/ImageMagick-7',
  '/etc/mime.types',
]
/** Paths of /proc that bwrap 0.8 leaves writable for its user: a root caller could set the host's core_pattern. */
const PROC_HOLES = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
  '/proc/fs',
  '/proc/acpi',
  '/proc/scsi',
  '/proc/mtd',
  '/proc/asound',
]

/** Arguments of bwrap up to the program: empty root, read-only /usr, own namespaces, no capabilities and no way to gain any. */
export function bwrapArgs(plan: BwrapPlan): string[] {
  return [
    ...['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(plan.noUserNamespaces ? ['--disable-userns'] : []),
    ...(plan.shareNet ? ['--share-net'] : []),
    ...['--uid', '65534', '--gid', '65534', '--hostname', 'sandbox'],
    ...system(),
    ...['--proc', '/proc'],
    ...PROC_HOLES.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ...['--dev', '/dev', '--perms', '1777', '--size', String(plan.sharedMb * MIB), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    // Before the visible folders, one of which may be below /tmp.
    ...[
      '--size',
      String(plan.diskMb * MIB),
      '--tmpfs',
      JOB_FOLDER,
      '--dir',
      `${JOB_FOLDER}/.tmp`,
      '--symlink',
      `${JOB_FOLDER.slice(1)}/.tmp`,
      '/tmp',
    ],
    ...viewArgs({ ...plan, system: ['/usr', ...SYSTEM_FILES] }),
    ...plan.files.flatMap(({ fd, name }) => ['--perms', '0644', '--file', String(fd), `${JOB_FOLDER}/${name}`]),
    ...plan.mounted.flatMap(({ from, name }) => [
      ...['--ro-bind', from, `${MOUNTED_FOLDER}/${name}`],
      ...['--symlink', `${MOUNTED_FOLDER}/${name}`, `${JOB_FOLDER}/${name}`],
    ]),
    ...(plan.socket === null ? [] : ['--ro-bind', plan.socket.from, plan.socket.to]),
    // The root is a tmpfs without a size limit, so it must not stay writable.
    ...['--remount-ro', '/', '--chdir', JOB_FOLDER, '--clearenv'],
    ...Object.entries(plan.env).flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}

function system(): string[] {
  return [
    ...['--ro-bind', '/usr', '/usr'],
    ...systemLinks().flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...SYSTEM_FILES.flatMap((path) => ['--ro-bind-try', path, path]),
  ]
}

/** Folders of /usr that are also visible below the root. */
export function systemLinks(): string[] {
  return ['bin', 'sbin', 'lib', 'lib32', 'lib64'].filter((name) => existsSync(`/usr/${name}`))
}

import { withStreamedFiles, type HostView, type ShownPlace } from '../../core/sdk/index.js'
import type { Language } from './contract.js'
import { commandOf, DISK_MB, MATPLOTLIBRC, MEMORY_MB, PROCESSES } from './program.js'

const NOBODY = 65534
const MIB = 1024 * 1024
/**
 * Threads and processes on the host that gVisor's own kernel needs beside those of the program: on the platform
 * ptrace, one or more for each of them. Below that, its kernel ends in the middle of an ordinary program.
 */
const OF_KERNEL = 384
/** In the bundle: placed over hidden files. */
const EMPTY = 'empty'

/**
 * Node exits when it cannot check for its OpenSSL configuration: in some versions the folders above the visible parts
 * of /etc are closed to user nobody.
 */
const OPENSSL = 'OPENSSL_CONF=/dev/null'

/** The host of a bundle. */
interface BundleHost {
  readonly root: boolean
  /** The parts of the host that the program may see. */
  readonly view: HostView
}

/** The files of an OCI bundle for a program in one of the languages. */
export function bundleFiles(language: Language, host: BundleHost): { readonly name: string; readonly data: Uint8Array }[] {
  return [
    { name: 'config.json', data: Buffer.from(JSON.stringify(bundleConfig(language, host))) },
    { name: EMPTY, data: new Uint8Array() },
  ]
}

/**
 * The config.json of an OCI bundle (OCI runtime specification 1.0: relative paths start at the bundle). The bundle's
 * folder is the read-only root; nothing of the host is writable; the program's folder is a tmpfs, counted as memory,
 * and files are transferred over the standard streams. With root privileges the program runs as nobody; without, as
 * the only user.
 */
export function bundleConfig(language: Language, { root, view }: BundleHost): Readonly<Record<string, unknown>> {
  const { args } = commandOf(language)
  const user = root ? NOBODY : 0
  const none: readonly string[] = []
  return {
    ociVersion: '1.0.0',
    hostname: 'sandbox',
    root: { path: '.', readonly: true },
    process: {
      user: { uid: user, gid: user },
      cwd: '/job',
      env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/job', 'LANG=C.UTF-8', 'MPLBACKEND=Agg', `MATPLOTLIBRC=${MATPLOTLIBRC}`, OPENSSL],
      args: withStreamedFiles(held(language, [view.program, ...args])),
      noNewPrivileges: true,
      capabilities: { bounding: none, effective: none, inheritable: none, permitted: none, ambient: none },
      rlimits: [
        { type: 'RLIMIT_NOFILE', soft: 512, hard: 512 },
        { type: 'RLIMIT_CORE', soft: 0, hard: 0 },
        { type: 'RLIMIT_FSIZE', soft: DISK_MB * MIB, hard: DISK_MB * MIB },
      ],
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      // Before the visible places, one of which may be below it.
      tmpfs('/tmp', ['nosuid', 'nodev', 'mode=1777', `size=${DISK_MB * MIB}`]),
      ...view.places.map(mountOf),
      tmpfs('/job', ['nosuid', 'nodev', 'mode=1777', `size=${DISK_MB * MIB}`]),
    ],
    linux: {
      namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      resources: {
        memory: { limit: (MEMORY_MB + DISK_MB) * MIB, swap: (MEMORY_MB + DISK_MB) * MIB },
        pids: { limit: PROCESSES + OF_KERNEL },
        cpu: { quota: 100_000, period: 100_000 },
      },
    },
  }
}

interface Mount {
  readonly destination: string
  readonly type: string
  readonly source: string
  readonly options: readonly string[]
}

function mountOf({ at, shows, from }: ShownPlace): Mount {
  // Not read-only: places below it need mount points. It is one page, in memory, and the only thing that can be
  // written.
  if (shows === 'empty-folder') return tmpfs(at, ['nosuid', 'nodev', 'noexec', 'mode=0755', 'size=4096'])
  return {
    destination: at,
    type: 'bind',
    source: shows === 'empty-file' ? `./${EMPTY}` : from,
    options: ['rbind', 'ro', 'nosuid', 'nodev'],
  }
}

function tmpfs(destination: string, options: readonly string[]): Mount {
  return { destination, type: 'tmpfs', source: 'tmpfs', options }
}

/** Address space is also limited inside, for hosts without control groups; Node reserves far more than it uses and has its own option. */
function held(language: Language, command: readonly string[]): readonly string[] {
  return language === 'javascript' ? command : ['sh', '-c', `ulimit -v ${MEMORY_MB * 1024} && exec "$0" "$@"`, ...command]
}

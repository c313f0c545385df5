import type { Language } from './contract.js'
import { commandOf, MEMORY_MB, PROCESSES } from './program.js'

const NOBODY = 65534
const MIB = 1024 * 1024
/** Host folders shown read-only, and where. Bare folders instead of links, because the root of the bundle has none. */
const SHOWN = [
  ['/usr', '/usr'],
  ['/usr/bin', '/bin'],
  ['/usr/lib', '/lib'],
  ['/usr/lib64', '/lib64'],
  ['/etc/alternatives', '/etc/alternatives'],
  ['/etc/ld.so.cache', '/etc/ld.so.cache'],
] as const
const MOUNT_POINTS = ['usr', 'bin', 'lib', 'lib64', 'etc', 'proc', 'dev', 'sys', 'tmp', 'job']

/** True for names that the bundle needs as mount points in its root, which is the job folder. */
export function isMountPoint(name: string): boolean {
  return MOUNT_POINTS.includes(name)
}

/**
 * The config.json of an OCI bundle whose folder is the job folder (OCI runtime specification 1.0: relative paths count from the bundle).
 * The job folder is the read-only root, and stands writable at /job. As root the program is nobody; without root the one user there is.
 */
export function bundleConfig(
  language: Language,
  host: { readonly root: boolean; readonly exists: (path: string) => boolean },
): Readonly<Record<string, unknown>> {
  const { program, args } = commandOf(language)
  const user = host.root ? NOBODY : 0
  const none: readonly string[] = []
  return {
    ociVersion: '1.0.0',
    hostname: 'sandbox',
    root: { path: '.', readonly: true },
    process: {
      user: { uid: user, gid: user },
      cwd: '/job',
      env: ['PATH=/usr/local/bin:/usr/bin:/bin', 'HOME=/job', 'LANG=C.UTF-8', 'MPLBACKEND=Agg'],
      args: held(program, args),
      noNewPrivileges: true,
      capabilities: { bounding: none, effective: none, inheritable: none, permitted: none, ambient: none },
      rlimits: [
        { type: 'RLIMIT_NOFILE', soft: 512, hard: 512 },
        { type: 'RLIMIT_CORE', soft: 0, hard: 0 },
        { type: 'RLIMIT_FSIZE', soft: 256 * MIB, hard: 256 * MIB },
      ],
    },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777', `size=${256 * MIB}`] },
      ...SHOWN.filter(([from]) => host.exists(from)).map(([source, destination]) => ({
        destination,
        source,
        type: 'bind',
        options: ['rbind', 'ro', 'nosuid', 'nodev'],
      })),
      { destination: '/job', source: '.', type: 'bind', options: ['bind', 'rw', 'nosuid', 'nodev'] },
    ],
    linux: {
      namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      resources: {
        memory: { limit: MEMORY_MB * MIB, swap: MEMORY_MB * MIB },
        pids: { limit: PROCESSES },
        cpu: { quota: 100_000, period: 100_000 },
      },
    },
  }
}

/** Address space is limited inside too, for places without control groups; Node reserves far more than it uses and has its own option. */
function held(program: string, args: readonly string[]): string[] {
  return program === 'node' ? [program, ...args] : ['sh', '-c', `ulimit -v ${MEMORY_MB * 1024} && exec "$0" "$@"`, program, ...args]
}

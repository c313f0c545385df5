/** Architectures that have a seccomp table here. Others have no sandbox. */
export type SeccompArch = 'x64' | 'arm64'

/** The architecture number in `seccomp_data.arch` (linux/audit.h). */
export const AUDIT_ARCH: Readonly<Record<SeccompArch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 }

/** System call numbers on x86_64 (asm/unistd_64.h) and aarch64 (asm-generic/unistd.h); null where there is none. */
export const SYSCALLS = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  move_mount: [429, 429],
  open_tree: [428, 428],
  mount_setattr: [442, 442],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  userfaultfd: [323, 282],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  chroot: [161, 51],
  vhangup: [153, 58],
  lookup_dcookie: [212, 18],
  fanotify_init: [300, 262],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  uselib: [134, null],
  ustat: [136, null],
  sysfs: [139, null],
  nfsservctl: [180, 42],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  shmdt: [67, 197],
  semget: [64, 190],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  clone: [56, 220],
  clone3: [435, 435],
  personality: [135, 92],
  socket: [41, 198],
  ioctl: [16, 29],
} as const satisfies Readonly<Record<string, readonly [number, number | null]>>

export type Syscall = keyof typeof SYSCALLS

/** Number of a system call on an architecture, null when it does not exist there. */
export function syscallNumber(name: Syscall, arch: SeccompArch): number | null {
  return SYSCALLS[name][arch === 'x64' ? 0 : 1]
}

/** `job` for programs on foreign bytes; `browser` allows the namespaces from which Chromium builds its own sandbox. */
type SeccompProfile = 'job' | 'browser'

const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97
const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const errno = (code: number): number => 0x00050000 | code

const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_ANY_BIT = 0x45
const RETURN = 0x06

const NUMBER = 0
const ARCH = 4
/** Low half of an argument on a little-endian machine. */
const argument = (index: number): number => 16 + 8 * index

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET (linux/sched.h). */
const NEW_NAMESPACES = 0x7e020000
const X32 = 0x40000000
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const AF_NETLINK = 16
const NETLINK_ROUTE = 0
/** PER_LINUX, PER_LINUX32 and the query are harmless; the rest disable protections such as address randomisation. */
const PERSONALITIES = [0, 8, 0xffffffff]

const REFUSED: readonly Syscall[] = [
  ...(['process_vm_readv', 'process_vm_writev', 'process_madvise', 'pidfd_getfd', 'kcmp'] as const),
  ...(['mount', 'umount2', 'pivot_root', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'move_mount', 'open_tree', 'mount_setattr'] as const),
  ...(['setns', 'bpf', 'perf_event_open', 'keyctl', 'add_key', 'request_key', 'userfaultfd'] as const),
  ...(['init_module', 'finit_module', 'delete_module', 'kexec_load', 'kexec_file_load', 'reboot', 'swapon', 'swapoff'] as const),
  ...(['acct', 'quotactl', 'quotactl_fd', 'open_by_handle_at', 'name_to_handle_at', 'syslog', 'settimeofday', 'clock_settime'] as const),
  ...([
    'adjtimex',
    'clock_adjtime',
    'vhangup',
    'lookup_dcookie',
    'fanotify_init',
    'iopl',
    'ioperm',
    'modify_ldt',
    'uselib',
    'ustat',
  ] as const),
  ...(['sysfs', 'nfsservctl', 'migrate_pages', 'move_pages', 'sethostname', 'setdomainname'] as const),
]
/** Needed by Chromium's zygote and crash handler; its own filter denies them to its renderers. */
const REFUSED_IN_JOBS: readonly Syscall[] = ['ptrace', 'unshare', 'chroot']
/**
 * Programs fall back to older calls when these fail with ENOSYS. io_uring hides system calls from this filter; System V semaphores and
 * messages are kernel memory that belongs to no process, so only a control group would count it.
 */
const ABSENT: readonly Syscall[] = [
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'memfd_secret'] as const),
  ...(['semget', 'semop', 'semtimedop', 'semctl', 'msgget', 'msgsnd', 'msgrcv', 'msgctl'] as const),
]
/** clone3 hides its flags behind a pointer; memfd and SysV memory escape the file, memory and address limits where there is no cgroup. */
const ABSENT_IN_JOBS: readonly Syscall[] = ['clone3', 'memfd_create', 'shmget', 'shmat', 'shmctl', 'shmdt']

type Instruction = readonly [code: number, yes: number, no: number, value: number]

/** The architecture of this machine; null without a filter for it. */
export function seccompArch(machine: string = process.arch): SeccompArch | null {
  return machine === 'x64' || machine === 'arm64' ? machine : null
}

/** A classic BPF program (seccomp(2), linux/filter.h) for `bwrap --seccomp`, which refuses system calls that a sandboxed program does not need. */
export function seccompFilter(arch: SeccompArch, profile: SeccompProfile): Buffer {
  const job = profile === 'job'
  const rules: Instruction[] = [
    [LOAD, 0, 0, ARCH],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCH[arch]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER],
  ]
  if (arch === 'x64') rules.push([JUMP_AT_LEAST, 0, 1, X32], [RETURN, 0, 0, errno(ENOSYS)])
  const when = (name: Syscall, then: readonly Instruction[]): void => {
    const number = syscallNumber(name, arch)
    if (number !== null) rules.push([JUMP_EQUAL, 0, then.length, number], ...then)
  }
  for (const name of job ? [...REFUSED, ...REFUSED_IN_JOBS] : REFUSED) when(name, [[RETURN, 0, 0, errno(EPERM)]])
  for (const name of job ? [...ABSENT, ...ABSENT_IN_JOBS] : ABSENT) when(name, [[RETURN, 0, 0, errno(ENOSYS)]])
  if (job)
    when('clone', [
      [LOAD, 0, 0, argument(0)],
      [JUMP_ANY_BIT, 0, 1, NEW_NAMESPACES],
      [RETURN, 0, 0, errno(EPERM)],
      [RETURN, 0, 0, ALLOW],
    ])
  when('personality', [[LOAD, 0, 0, argument(0)], ...oneOf(PERSONALITIES, errno(EPERM))])
  when('ioctl', [
    [LOAD, 0, 0, argument(1)],
    [JUMP_EQUAL, 1, 0, TIOCSTI],
    [JUMP_EQUAL, 0, 1, TIOCLINUX],
    [RETURN, 0, 0, errno(EPERM)],
    [RETURN, 0, 0, ALLOW],
  ])
  when('socket', [
    [LOAD, 0, 0, argument(0)],
    [JUMP_EQUAL, 0, 4, AF_NETLINK],
    [LOAD, 0, 0, argument(2)],
    ...oneOf([NETLINK_ROUTE], errno(EAFNOSUPPORT)),
    ...oneOf([AF_UNIX, AF_INET, AF_INET6], errno(EAFNOSUPPORT)),
  ])
  rules.push([RETURN, 0, 0, ALLOW])
  return assemble(rules)
}

/** Allows the values, refuses the rest. */
function oneOf(values: readonly number[], otherwise: number): Instruction[] {
  const tests = values.map((value, index): Instruction => [JUMP_EQUAL, values.length - index, 0, value])
  return [...tests, [RETURN, 0, 0, otherwise], [RETURN, 0, 0, ALLOW]]
}

function assemble(rules: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(rules.length * 8)
  rules.forEach(([code, yes, no, value], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  })
  return bytes
}

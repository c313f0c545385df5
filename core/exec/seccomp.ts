import { AUDIT_ARCH, syscallNumber } from './syscalls.js'
import type { SeccompArch, Syscall } from './syscalls.js'

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

/** Architectures that have a seccomp table here. Others have no sandbox. */
export type SeccompArch = 'x64' | 'arm64'

/** The number the kernel gives in `seccomp_data.arch` (linux/audit.h). */
export const AUDIT_ARCH: Readonly<Record<SeccompArch, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 }

/** System call numbers on x86_64 (asm/unistd_64.h) and aarch64 (asm-generic/unistd.h); null where the call does not exist. */
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

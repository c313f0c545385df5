import { seccompArch, type Syscall, syscallNumber, SYSCALLS } from '../../core/exec/seccomp.js'

/** Facts about the host for an attempt. */
export interface Target {
  /** A server on the host's loopback. */
  readonly port: number
  /** A world-readable file of the host with `canary` in it. */
  readonly canary: string
  /** The gateway's process id. */
  readonly pid: number
}

export interface Attempt {
  readonly name: string
  readonly language: 'python3' | 'node' | 'bash'
  /** Prints `denied` when refused as expected and `ESCAPED` when not. */
  readonly code: string
}

const arch = seccompArch() ?? 'x64'
const call = (name: Syscall, ...args: readonly (string | number)[]): string => `sc(${syscallNumber(name, arch) ?? -1}, ${args.join(', ')})`
const direct = (name: Syscall): boolean => syscallNumber(name, arch) !== null

const PYTHON = `
import ctypes, os, socket, sys, struct, fcntl, resource, signal
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def sc(nr, *args):
    result = libc.syscall(ctypes.c_long(nr), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
buffer = ctypes.create_string_buffer(256)
def connect(family, address):
    s = socket.socket(family, socket.SOCK_STREAM); s.settimeout(1); s.connect(address)
def read(path):
    data = open(path, 'rb').read()
    if not data: raise OSError(2, 'empty')
def write(path, data=b'1'):
    fd = os.open(path, os.O_WRONLY); os.write(fd, data)
refused = {1, 2, 3, 13, 18, 19, 22, 30, 38, 94, 97, 101, 110, 111, 113, socket.EAI_AGAIN} if %s else {1, 38, 97}
try:
    %s
    print('ESCAPED')
except OSError as error:
    print('denied' if error.errno in refused else 'unexpected %%s' %% error)
except (ValueError, TimeoutError):
    print('denied')
`
/** A system call that the filter itself must refuse: EPERM, ENOSYS or EAFNOSUPPORT, not an error for bad arguments. */
const filtered = (name: string, statement: string): Attempt => ({
  name: `python: ${name}`,
  language: 'python3',
  code: PYTHON.replace('%s', 'False').replace('%s', statement).replaceAll('%%', '%'),
})
/** Refused by whichever layer comes first. */
const refused = (name: string, statement: string): Attempt => ({
  name: `python: ${name}`,
  language: 'python3',
  code: PYTHON.replace('%s', 'True').replace('%s', statement).replaceAll('%%', '%'),
})

const javascript = (name: string, body: string): Attempt => ({
  name: `javascript: ${name}`,
  language: 'node',
  code: `(async () => { ${body} })().then((text) => (text === false ? 'denied' : 'ESCAPED ' + text), () => 'denied')`,
})
/** A command that must fail. */
const shell = (name: string, command: string): Attempt => ({
  name: `shell: ${name}`,
  language: 'bash',
  code: `if { ${command} ; } >/job/.tmp/out 2>&1 </dev/null; then echo ESCAPED; cat /job/.tmp/out; else echo denied; fi`,
})

/** Every attempt of the escape suite (T-44): system calls, namespaces, files, network, privileges, other processes. */
export function attempts({ port, canary, pid }: Target): Attempt[] {
  const plain: Syscall[] = ['pivot_root', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'move_mount', 'open_tree', 'mount_setattr', 'setns']
  plain.push(
    'process_vm_readv',
    'process_vm_writev',
    'process_madvise',
    'pidfd_getfd',
    'kcmp',
    'bpf',
    'perf_event_open',
    'keyctl',
    'add_key',
    'request_key',
  )
  plain.push(
    'io_uring_setup',
    'io_uring_enter',
    'io_uring_register',
    'userfaultfd',
    'init_module',
    'finit_module',
    'delete_module',
    'kexec_load',
    'kexec_file_load',
  )
  plain.push(
    'swapon',
    'swapoff',
    'acct',
    'quotactl',
    'quotactl_fd',
    'open_by_handle_at',
    'name_to_handle_at',
    'settimeofday',
    'clock_settime',
    'adjtimex',
    'clock_adjtime',
  )
  plain.push(
    'vhangup',
    'lookup_dcookie',
    'fanotify_init',
    'iopl',
    'ioperm',
    'modify_ldt',
    'move_pages',
    'migrate_pages',
    'sethostname',
    'setdomainname',
    'memfd_create',
    'memfd_secret',
    'shmget',
  )
  return [
    ...plain.filter((name) => name in SYSCALLS && direct(name)).map((name) => filtered(name, call(name, 0, 0, 0, 0, 0))),
    filtered('mount of a tmpfs', call('mount', 'b"none"', 'b"/job"', 'b"tmpfs"', 0, 0)),
    filtered('umount of /usr', call('umount2', 'b"/usr"', 2)),
    filtered('unshare of the user namespace', call('unshare', 0x10000000)),
    filtered('unshare of the mount namespace', call('unshare', 0x00020000)),
    filtered('setns into its own network namespace', `fd = os.open("/proc/self/ns/net", os.O_RDONLY); ${call('setns', 'fd', 0)}`),
    filtered('clone with a user namespace', call('clone', 0x10000000 | 17, 0, 0, 0, 0)),
    filtered('clone3', call('clone3', 'buffer', 88)),
    filtered('ptrace of itself', call('ptrace', 0, 0, 0, 0)),
    filtered('ptrace of pid 1', call('ptrace', 16, 1, 0, 0)),
    filtered('reboot key off', call('reboot', 0xfee1dead, 672274793, 0, 0)),
    filtered('kernel log', call('syslog', 3, 'buffer', 256)),
    filtered('chroot', call('chroot', 'b"/job"')),
    filtered('address randomisation off', call('personality', 0x0040000)),
    filtered('packet socket', 'socket.socket(17, 3, 0)'),
    filtered('vsock to the hypervisor', 'socket.socket(40, 1, 0)'),
    filtered('kernel crypto socket', 'socket.socket(38, 5, 0)'),
    filtered('netlink audit', 'socket.socket(16, 3, 9)'),
    filtered('netlink netfilter', 'socket.socket(16, 3, 12)'),
    filtered('xdp socket', 'socket.socket(44, 3, 0)'),
    filtered('tipc socket', 'socket.socket(30, 1, 0)'),
    filtered('raw socket', 'socket.socket(2, 3, 1)'),
    filtered('typing into the terminal', 'fcntl.ioctl(os.open("/dev/null", os.O_RDWR), 0x5412, b"x")'),
    refused('host loopback', `connect(2, ("127.0.0.1", ${port}))`),
    refused('cloud metadata', 'connect(2, ("169.254.169.254", 80))'),
    refused('internet by IPv6', 'connect(10, ("2606:4700:4700::1111", 80))'),
    refused('abstract socket of the host', `connect(1, "\\0capstan-escape-${port}")`),
    refused('name look-up', 'socket.getaddrinfo("example.com", 80)'),
    refused('setuid 0', 'os.setuid(0)'),
    refused('setgroups', 'os.setgroups([0])'),
    refused('write of the uid map', 'write("/proc/self/uid_map", b"0 0 1")'),
    refused('block device', 'os.mknod("/job/disk", 0o60666, os.makedev(254, 0))'),
    refused('core_pattern', 'write("/proc/sys/kernel/core_pattern", b"core")'),
    refused('drop_caches', 'write("/proc/sys/vm/drop_caches")'),
    refused('sysrq', 'write("/proc/sysrq-trigger", b"h")'),
    refused('irq affinity', 'write("/proc/irq/default_smp_affinity", b"3")'),
    refused('out-of-memory protection', 'write("/proc/self/oom_score_adj", b"-1000")'),
    refused('new file in /usr', 'os.open("/usr/bin/capstan-escape", os.O_CREAT | os.O_WRONLY)'),
    refused('new file in the root', 'os.open("/capstan-escape", os.O_CREAT | os.O_WRONLY)'),
    refused('new file in /dev', 'os.open("/dev/capstan-escape", os.O_CREAT | os.O_WRONLY)'),
    refused('shadow file through pid 1', 'read("/proc/1/root/etc/shadow")'),
    refused('canary through the working folder of pid 1', `read("/proc/1/cwd/../../../..${canary}")`),
    refused('canary', `read(${JSON.stringify(canary)})`),
    refused('kernel memory', 'read("/dev/mem")'),
    refused('kernel core', 'os.open("/proc/kcore", os.O_RDONLY)'),
    refused('kernel keys', 'read("/sys/kernel/security/lsm")'),
    refused('signal to the gateway', `os.kill(${pid}, 0)`),
    refused('environment of the gateway', `read("/proc/${pid}/environ")`),
    refused('hard link to a host program', 'os.link("/usr/bin/env", "/job/env")'),
    refused('real-time priority', 'os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))'),
    refused('higher priority', 'os.nice(-20)'),
    refused('more open files', 'resource.setrlimit(resource.RLIMIT_NOFILE, (1 << 20, 1 << 20))'),
    refused('larger core limit', 'resource.setrlimit(resource.RLIMIT_CORE, (1, 1))'),
    refused(
      'descriptors that lead out',
      `found = [os.readlink("/proc/self/fd/" + fd) for fd in os.listdir("/proc/self/fd")]\n    if not any(path.startswith("/") and not path.startswith(("/proc", "/job", "/dev/null")) for path in found): raise OSError(13, "none")`,
    ),
    ...(arch === 'x64' ? [filtered('call in the x32 range', 'sc(0x40000000 + 39)')] : []),
    javascript('canary', `return require('fs').readFileSync(${JSON.stringify(canary)}, 'utf8')`),
    javascript('shadow file', "return require('fs').readFileSync('/etc/shadow', 'utf8')"),
    javascript('folder of the gateway', `return require('fs').readdirSync(${JSON.stringify(process.cwd())}).length`),
    javascript(
      'symbolic link out',
      `require('fs').symlinkSync(${JSON.stringify(canary)}, '/job/link'); return require('fs').readFileSync('/job/link', 'utf8')`,
    ),
    javascript(
      'host loopback',
      `return new Promise((ok, no) => require('net').connect(${port}, '127.0.0.1').on('connect', () => ok('connected')).on('error', no))`,
    ),
    javascript('fetch', `return (await fetch('http://127.0.0.1:${port}')).status`),
    javascript(
      'datagram',
      "return new Promise((ok, no) => require('dgram').createSocket('udp4').send('x', 53, '1.1.1.1', (error) => error ? no(error) : ok('sent')))",
    ),
    javascript('setuid', 'process.setuid(0); return process.getuid()'),
    javascript('kill of the gateway', `return process.kill(${pid}, 0)`),
    javascript(
      'secret of the gateway',
      "return [1, 'self'].some((pid) => require('fs').readFileSync('/proc/' + pid + '/environ', 'utf8').includes('CAPSTAN_CANARY')) || 'CAPSTAN_CANARY' in process.env",
    ),
    javascript(
      'unshare by program',
      "return require('child_process').execFileSync('/usr/bin/unshare', ['-Ur', 'id'], { stdio: 'pipe' }).toString()",
    ),
    javascript('other interfaces', "return Object.keys(require('os').networkInterfaces()).some((name) => name !== 'lo')"),
    javascript('write next to node', "require('fs').writeFileSync(process.execPath + '.x', ''); return 'written'"),
    javascript('kernel setting', "require('fs').writeFileSync('/proc/sys/kernel/hostname', 'x'); return 'written'"),
    shell('unshare', 'unshare -Ur true'),
    shell('nsenter', 'nsenter -t 1 -a true'),
    shell('mount', 'mount -t tmpfs none /job'),
    shell('mount of control groups', 'mkdir -p /job/cg && mount -t cgroup -o memory none /job/cg'),
    shell('bind mount', 'mount --bind / /job'),
    shell('remount', 'mount -o remount,rw /usr'),
    shell('umount', 'umount /proc/sys'),
    shell('chroot', 'chroot / true'),
    shell('su', 'su -c true'),
    shell(
      'set-user-id programs',
      'test "$(find /usr/bin -perm -4000 -user 0 2>/dev/null | head -1 | xargs -r -I{} stat -c %u {})" = 0 && su root -c true',
    ),
    shell('device node', 'mknod /job/disk b 254 0'),
    shell('raw disk', 'head -c 1 /dev/vda || head -c 1 /dev/sda'),
    shell('tcp of bash', `exec 9<>/dev/tcp/127.0.0.1/${port}`),
    shell('shadow file', 'cat /etc/shadow'),
    shell('home folders', 'ls /root /home'),
    shell('proc of the gateway', `ls /proc/${pid}`),
    shell('kernel log', 'dmesg'),
    shell('clock', 'date -s 2001-01-01'),
    shell('host name', 'hostname capstan'),
    shell('module', 'modprobe dummy || insmod /job/x.ko'),
    shell('sysctl', 'sysctl -w kernel.core_pattern=core'),
    shell('new network interface', 'ip link add dummy0 type dummy'),
    shell('own limits', 'prlimit --pid $$ --nofile=100000:100000'),
    shell('own capabilities', 'setpriv --inh-caps +all --ambient-caps +all true'),
    shell('nested sandbox', 'bwrap --ro-bind / / true'),
  ]
}

const PYTHON_DRIVER = `
import glob, os, sys
for path in sorted(glob.glob('/job/*.txt')):
    print('\\n@' + path[5:8], end=' ', flush=True)
    child = os.fork()
    if child == 0:
        exec(open(path).read(), {})
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
`
const NODE_DRIVER = `(async () => { for (const name of require('fs').readdirSync('/job').filter((name) => name.endsWith('.txt')).sort())
  console.log('\\n@' + name.slice(0, 3), await eval(require('fs').readFileSync(name, 'utf8'))); process.exit(0) })()`
const BASH_DRIVER = `for path in /job/*.txt; do printf '\\n@%s ' "$(basename "$path" .txt)"; bash "$path"; done`

/** Programs that run all attempts of a language, each lying as `NNN.txt` in the job folder, and print `@NNN outcome`. */
export const DRIVERS = { python3: PYTHON_DRIVER, node: NODE_DRIVER, bash: BASH_DRIVER } as const

import { expect } from 'chai'
import {
  AUDIT_ARCH,
  seccompArch,
  type SeccompArch,
  seccompFilter,
  type Syscall,
  syscallNumber,
  SYSCALLS,
} from '../../../core/exec/seccomp.js'

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const errno = (code: number): number => 0x00050000 | code

/** Runs the classic BPF program as the kernel would, on one system call. */
function verdict(filter: Buffer, call: { arch: number; number: number; args?: readonly number[] }): number {
  const words = [call.number, call.arch, 0, 0, ...(call.args ?? []).flatMap((arg) => [arg >>> 0, 0])]
  let accumulator = 0
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, yes, no, value] = [
      filter.readUInt16LE(at * 8),
      filter.readUInt8(at * 8 + 2),
      filter.readUInt8(at * 8 + 3),
      filter.readUInt32LE(at * 8 + 4),
    ]
    if (code === 0x06) return value
    if (code === 0x20) accumulator = words[value / 4] ?? 0
    else if (code === 0x15) at += accumulator === value ? yes : no
    else if (code === 0x35) at += accumulator >= value ? yes : no
    else if (code === 0x45) at += (accumulator & value) !== 0 ? yes : no
    else throw new Error(`unknown instruction ${code}`)
  }
  throw new Error('the program has no end')
}

for (const arch of ['x64', 'arm64'] as const satisfies SeccompArch[]) {
  describe(`core/exec seccomp ${arch}`, () => {
    const job = seccompFilter(arch, 'job')
    const browser = seccompFilter(arch, 'browser')
    const verdictOf = (filter: Buffer, name: Syscall, ...args: number[]): number =>
      verdict(filter, { arch: AUDIT_ARCH[arch], number: syscallNumber(name, arch) ?? -1, args })
    const depending: readonly Syscall[] = ['clone', 'personality', 'socket', 'ioctl']

    it('T-44 refuses every listed call of a job, at least 40', () => {
      const names = (Object.keys(SYSCALLS) as Syscall[]).filter((name) => !depending.includes(name) && syscallNumber(name, arch) !== null)
      expect(names.length).to.be.at.least(40)
      for (const name of names) expect(verdictOf(job, name, 0), name).to.be.oneOf([errno(1), errno(38)])
    })

    it('allows an ordinary call', () => {
      const read = arch === 'x64' ? 0 : 63
      expect(verdict(job, { arch: AUDIT_ARCH[arch], number: read })).to.equal(ALLOW)
      expect(verdict(browser, { arch: AUDIT_ARCH[arch], number: read })).to.equal(ALLOW)
    })

    it('T-44 checks the flags of clone, and leaves Chromium its namespaces', () => {
      expect(verdictOf(job, 'clone', 0x10000000 | 17)).to.equal(errno(1))
      expect(verdictOf(job, 'clone', 0x00020000)).to.equal(errno(1))
      expect(verdictOf(job, 'clone', 0x01200011)).to.equal(ALLOW)
      expect(verdictOf(job, 'clone3')).to.equal(errno(38))
      for (const name of ['unshare', 'chroot', 'clone3', 'ptrace', 'memfd_create'] as const)
        expect(verdictOf(browser, name), name).to.equal(ALLOW)
      expect(verdictOf(browser, 'clone', 0x10000000)).to.equal(ALLOW)
      for (const name of ['mount', 'bpf', 'keyctl', 'userfaultfd', 'kexec_load', 'setns'] as const)
        expect(verdictOf(browser, name), name).to.equal(errno(1))
    })

    it('T-45 refuses System V semaphores and messages in jobs and in the browser, and System V memory in jobs', () => {
      for (const name of ['semget', 'semop', 'semtimedop', 'semctl', 'msgget', 'msgsnd', 'msgrcv', 'msgctl'] as const)
        for (const filter of [job, browser]) expect(verdictOf(filter, name), name).to.equal(errno(38))
      for (const name of ['shmget', 'shmat', 'shmctl', 'shmdt'] as const) expect(verdictOf(job, name), name).to.equal(errno(38))
    })

    it('T-44 allows three families of sockets and netlink routes only', () => {
      for (const family of [1, 2, 10]) expect(verdictOf(job, 'socket', family, 1, 0), String(family)).to.equal(ALLOW)
      for (const family of [17, 38, 40, 44, 30, 31]) expect(verdictOf(job, 'socket', family, 1, 0), String(family)).to.equal(errno(97))
      expect(verdictOf(job, 'socket', 16, 3, 0)).to.equal(ALLOW)
      expect(verdictOf(job, 'socket', 16, 3, 12)).to.equal(errno(97))
    })

    it('T-44 refuses odd personalities and typing into the terminal', () => {
      expect([0, 8, 0xffffffff].map((value) => verdictOf(job, 'personality', value))).to.deep.equal([ALLOW, ALLOW, ALLOW])
      expect(verdictOf(job, 'personality', 0x0040000)).to.equal(errno(1))
      expect(verdictOf(job, 'ioctl', 0, 0x5412)).to.equal(errno(1))
      expect(verdictOf(job, 'ioctl', 0, 0x541c)).to.equal(errno(1))
      expect(verdictOf(job, 'ioctl', 0, 0x5401)).to.equal(ALLOW)
    })

    it('T-44 kills calls of another architecture', () => {
      expect(verdict(job, { arch: 0x40000003, number: 20 })).to.equal(KILL)
      expect(verdict(browser, { arch: 0x40000003, number: 20 })).to.equal(KILL)
      if (arch === 'x64') expect(verdict(job, { arch: AUDIT_ARCH.x64, number: 0x40000000 + 39 })).to.equal(errno(38))
    })
  })
}

describe('core/exec seccomp architectures', () => {
  it('has no filter for other machines', () => {
    expect(['x64', 'arm64', 'riscv64', 'ia32', 'ppc64'].map((machine) => seccompArch(machine))).to.deep.equal([
      'x64',
      'arm64',
      null,
      null,
      null,
    ])
  })
})

import { expect } from 'chai'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { currentMemoryLimit, memoryLimit } from '../../../core/exec/memory-limit.js'
import { HandClock } from '../../support/outbound.js'

const MIB = 1024 * 1024
const MACHINE = 8192 * MIB

describe('the memory limit of the process', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'capstan-memory-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const limit = (): number => memoryLimit(join(folder, 'self'), MACHINE)
  const mounted = (mount: string, group: string): void => {
    write('self/mountinfo', `24 1 0:22 / /proc rw - proc proc rw\n${mount}\n`)
    write('self/cgroup', `${group}\n`)
  }
  const second = (path: string): void => mounted(`31 24 0:27 / ${folder}/group rw - cgroup2 cgroup2 rw`, `0::${path}`)

  it('is that of the own group in version 2', () => {
    second('/capstan')
    write('group/capstan/memory.max', String(1024 * MIB))
    expect(limit()).to.equal(1024 * MIB)
  })

  it('is that of a group above where it is lower, and of the machine where nothing is limited', () => {
    second('/slice/capstan/leaf')
    write('group/slice/capstan/leaf/memory.max', 'max\n')
    write('group/slice/capstan/memory.max', String(2048 * MIB))
    write('group/slice/memory.max', String(512 * MIB))
    expect(limit()).to.equal(512 * MIB)
    second('/elsewhere')
    mkdirSync(join(folder, 'group/elsewhere'))
    expect(limit()).to.equal(MACHINE)
  })

  it('is that of the memory controller in version 1, whose largest number means none', () => {
    mounted(`31 24 0:27 / ${folder}/memory rw - cgroup cgroup rw,memory`, '5:cpu:/other\n4:memory:/box/capstan\n0::/')
    write('memory/memory.limit_in_bytes', '9223372036854771712')
    write('memory/box/memory.limit_in_bytes', String(768 * MIB))
    write('memory/box/capstan/memory.limit_in_bytes', '9223372036854771712')
    expect(limit()).to.equal(768 * MIB)
  })

  it('in a container is that of the mount, where the path of the group is not visible', () => {
    mounted(`31 24 0:27 /docker/abc ${folder}/memory rw - cgroup cgroup rw,memory`, '4:memory:/docker/abc')
    write('memory/memory.limit_in_bytes', String(256 * MIB))
    expect(limit()).to.equal(256 * MIB)
  })

  it('is that of the machine without /proc', () => {
    expect(memoryLimit(join(folder, 'nothing'), MACHINE)).to.equal(MACHINE)
  })

  it('is read again after a minute, since operators change it', () => {
    const clock = new HandClock()
    let now = MIB
    const current = currentMemoryLimit(clock, () => now)
    now = 2 * MIB
    clock.advance(59_000)
    expect(current()).to.equal(MIB)
    clock.advance(1_000)
    expect(current()).to.equal(2 * MIB)
  })
})

import { expect } from 'chai'
import { readdir, statfs } from 'node:fs/promises'
import { groupsAt } from '../../../core/exec/cgroup.js'
import { callOf, needs, openSandbox, processesWith } from '../../support/exec-sandbox.js'
import type { TestSandbox } from '../../support/exec-sandbox.js'
import { atMost, until, waited } from '../../support/time.js'

describe('core/exec bombs', function () {
  this.timeout(60_000)
  let box: TestSandbox

  before(async function () {
    needs(this, 'bwrap', 'bash', 'python3')
    box = await openSandbox({ slots: 4 })
    await box.sandbox.status()
  })

  after(() => box?.close())

  it('T-45 holds a fork bomb to its processes while a neighbour works, and cleans up within 2 s', async () => {
    const mark = `4545.${process.pid}`
    const bomb = box.run('bash', ['-c', `f() { sleep ${mark} & f | f & }; f; f; wait; sleep ${mark}`], { processes: 32, timeoutMs: 4000 })
    await until(async () => (await processesWith(mark)).length > 10, 5000)
    expect((await box.run('python3', ['-c', 'print(6 * 7)'])).out).to.equal('42\n')
    expect((await processesWith(mark)).length).to.be.lessThan(90)
    await bomb
    await until(async () => (await processesWith(mark)).length === 0)
  })

  it('T-45 F-32 stops memory bombs: python, node objects, node buffers, many processes', async () => {
    const bombs: [string, string[]][] = [
      ['node', ['-e', 'const a = []; for (;;) a.push(new Array(1e5).fill(1.5))']],
      ['node', ['-e', 'const a = []; for (;;) a.push(Buffer.alloc(1e7, 1))']],
      [
        'python3',
        ['-c', 'import os, time\nfor i in range(8):\n  if os.fork() == 0:\n    a = bytearray(60 << 20); time.sleep(10)\ntime.sleep(10)'],
      ],
    ]
    for (const [program, args] of bombs)
      expect(await box.run(program, args, { memoryMb: 128, timeoutMs: 8000 }), args[1]).to.deep.include({ code: 137, stopped: 'memory' })
    const python = await box.run('python3', ['-c', 'a = []\nwhile True: a.append(bytearray(10 << 20))'], { memoryMb: 128, timeoutMs: 8000 })
    expect(python.stopped === 'memory' || python.err.includes('MemoryError')).to.equal(true)
  })

  it('T-45 bounds the disk: one big file, many small ones, every writable place', async () => {
    const before = await statfs('/')
    const big = await box.run('bash', ['-c', 'cat /dev/zero > big'], { diskMb: 8, timeoutMs: 8000 })
    expect(big.code).to.be.greaterThan(0)
    expect(big.stopped).to.equal(null)
    const small = await box.run(
      'python3',
      [
        '-c',
        'n = 0\ntry:\n  while True:\n    with open(f"{n}", "w") as f: f.write("x")\n    n += 1\nexcept OSError as e: print(n, e.errno)',
      ],
      { diskMb: 8, timeoutMs: 20_000 },
    )
    expect(small.out).to.match(/^\d+ 28\n$/)
    expect(Number(small.out.split(' ')[0])).to.be.lessThan(2100)
    const empty = await box.run('python3', ['-c', 'n = 0\nwhile True:\n  open(f"{n}", "w").close()\n  n += 1'], {
      diskMb: 8,
      timeoutMs: 20_000,
    })
    expect(empty.stopped).to.equal('memory')
    const code =
      'import os\nfor d in ["/", "/dev", "/tmp", "/dev/shm", "/job", "/run", "/var", "/usr", "/etc"]:\n  try:\n    with open(d + "/fill", "wb") as f:\n      for i in range(64): f.write(bytes(1 << 20))\n    print(d)\n  except OSError: pass\n  try: os.unlink(d + "/fill")\n  except OSError: pass'
    expect((await box.run('python3', ['-c', code], { diskMb: 8 })).out).to.equal('')
    const after = await statfs('/')
    expect((before.bavail - after.bavail) * after.bsize).to.be.lessThan(64 << 20)
  })

  it('T-45 stops endless computing at its time and lets neighbours through', async function () {
    const loops = [1, 2].map(() => box.run('python3', ['-c', 'while True: pass'], { timeoutMs: 2000 }))
    const { result: neighbour, own } = await waited(() => box.run('bash', ['-c', 'echo fine']))
    expect(neighbour.out).to.equal('fine\n')
    await atMost(this, { what: 'until it ended', value: own, limit: 2000 })
    for (const result of await Promise.all(loops)) expect(result).to.deep.include({ code: 124, stopped: 'time' })
  })

  it('T-45 stops an output flood and keeps its beginning', async function () {
    const { result, own } = await waited(() => box.run('bash', ['-c', 'yes'], { maxOutput: 10 }))
    expect(result).to.deep.include({ stopped: 'output', stdoutCut: true, out: 'y\ny\ny\ny\ny\n' })
    await atMost(this, { what: 'until it ended', value: own, limit: 5000 })
  })

  it('T-45 survives a program that kills all it can reach', async () => {
    const result = await box.run('bash', ['-c', 'kill -9 -1; kill -9 1; sleep 5'], {
      timeoutMs: 3000,
      collect: { maxFiles: 1, maxBytes: 10 },
    })
    expect(result.code).to.not.equal(0)
    expect((await box.run('bash', ['-c', 'echo fine'])).out).to.equal('fine\n')
  })

  it('T-45 holds memory, shared memory too, and processes without any control group', async function () {
    const own = await openSandbox({ groups: groupsAt({ version: null, folders: new Map() }) })
    try {
      expect((await own.sandbox.status()).detail).to.include('rlimits and a memory watchdog only')
      const memory = await own.run('node', ['-e', 'const a = []; for (;;) a.push(Buffer.alloc(1e7, 1))'], {
        memoryMb: 128,
        timeoutMs: 8000,
      })
      expect(memory).to.deep.include({ code: 137, stopped: 'memory' })
      const children =
        'import os, time\nfor i in range(8):\n  if os.fork() == 0:\n    a = bytearray(60 << 20); time.sleep(10)\ntime.sleep(10)'
      expect((await own.run('python3', ['-c', children], { memoryMb: 128, timeoutMs: 8000 })).stopped).to.equal('memory')
      const shared =
        'import mmap, os, time\nfor k in range(6):\n  if os.fork() == 0:\n    m = mmap.mmap(-1, 600 << 20)\n    for i in range(0, 600 << 20, 4096): m[i] = 1\n    time.sleep(10); os._exit(0)\ntime.sleep(10)'
      const ended = await own.run('python3', ['-c', shared], { memoryMb: 512, timeoutMs: 9000 })
      expect(ended.stopped).to.equal('memory')
      await atMost(this, { what: 'until it ended', value: ended.runMs, limit: 4000 })
      const once =
        'import mmap, os, time\nm = mmap.mmap(-1, 60 << 20)\nfor i in range(0, 60 << 20, 4096): m[i] = 1\nfor k in range(4):\n  if os.fork() == 0:\n    for i in range(0, 60 << 20, 4096): m[i]\n    time.sleep(1); os._exit(0)\ntime.sleep(1.2)\nprint("fine")'
      expect((await own.run('python3', ['-c', once], { memoryMb: 128, timeoutMs: 9000 })).out).to.equal('fine\n')
      const forks =
        'import os, time\nn = 0\ntry:\n  while n < 200:\n    if os.fork() == 0: time.sleep(5); os._exit(0)\n    n += 1\nexcept OSError: pass\nprint(n < 70)'
      expect((await own.run('python3', ['-c', forks], { processes: 32 })).out).to.equal('True\n')
    } finally {
      await own.close()
    }
  })

  it('T-45 leaves no control group and no user behind', async () => {
    const own = await openSandbox()
    await own.run('true', [], {}, callOf())
    await own.close()
    const names = await Promise.all(['memory', 'pids', 'cpu'].map((name) => readdir(`/sys/fs/cgroup/${name}`).catch(() => [])))
    expect(own.logs).to.deep.equal([])
    expect(names.flat().filter((name) => name.startsWith(`capstan-job-${process.pid}-`) && !name.includes('capstan-probe'))).to.satisfy(
      (list: string[]) => list.length <= 3,
    )
  })
})

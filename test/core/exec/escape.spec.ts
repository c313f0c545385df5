import { expect } from 'chai'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { DRIVERS, attempts } from '../../support/exec-escapes.js'
import { needs, openSandbox } from '../../support/exec-sandbox.js'
import type { TestSandbox } from '../../support/exec-sandbox.js'
import { skip } from '../../support/needs.js'

describe('core/exec escape suite', function () {
  this.timeout(60_000)
  let box: TestSandbox
  let server: Server
  let abstract: Server
  let visits = 0
  let port = 0

  before(async function () {
    needs(this, 'bwrap', 'python3', 'bash')
    process.env['CAPSTAN_CANARY'] = 'canary'
    box = await openSandbox({ slots: 2 })
    server = createServer((socket) => {
      visits += 1
      socket.end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
    abstract = createServer((socket) => {
      visits += 1
      socket.end()
    }).listen(`\0capstan-escape-${port}`)
    await new Promise((resolve) => abstract.once('listening', resolve))
    await writeFile(join(box.folder, 'canary'), 'canary', { mode: 0o644 })
  })

  after(async () => {
    delete process.env['CAPSTAN_CANARY']
    server?.close()
    abstract?.close()
    await box?.close()
  })

  it('T-44 N-31 denies every attempt in three languages', async () => {
    const list = attempts({ port, canary: join(box.folder, 'canary'), pid: process.pid })
    for (const language of ['python3', 'node', 'bash'] as const) {
      const own = list.filter((attempt) => attempt.language === language)
      const files = own.map(({ code }, index) => ({ name: `${String(index).padStart(3, '0')}.txt`, data: Buffer.from(code) }))
      const result = await box.run(language, [language === 'node' ? '-e' : '-c', DRIVERS[language]], { files, timeoutMs: 50_000 })
      const outcomes = own.map(
        ({ name }, index) =>
          `${name}: ${new RegExp(`^@${String(index).padStart(3, '0')} (.*)$`, 'm').exec(result.out)?.[1] ?? `no outcome ${result.err.slice(0, 300)}`}`,
      )
      expect(outcomes).to.deep.equal(own.map(({ name }) => `${name}: denied`))
    }
    expect(list.length).to.be.at.least(60)
    expect(visits).to.equal(0)
  })

  it('T-44 kills a process that calls the kernel by another architecture', async function () {
    if (process.arch !== 'x64') skip(this, 'these system calls are of x64 alone')
    const code = `
import ctypes, mmap
code = bytes([0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3])
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(code)
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
print('pid', ctypes.CFUNCTYPE(ctypes.c_int)(address)(), flush=True)
`
    const result = await box.run('python3', ['-c', code])
    expect(result.out).to.equal('')
    expect(result.code).to.equal(128 + 31)
  })

  it('T-44 hands no descriptor of the gateway down', async () => {
    const result = await box.run('bash', ['-c', 'for fd in /proc/self/fd/*; do readlink $fd; done; true'])
    const targets = result.out.trim().split('\n')
    expect(targets.filter((target) => !/^(socket:|\/dev\/null$|\/proc\/\d+\/fd$)/.test(target))).to.deep.equal([])
    expect(targets.filter((target) => target.startsWith('socket:')).length).to.be.at.most(3)
  })

  it('T-44 shows nothing of the gateway in the first process', async () => {
    const result = await box.run('bash', ['-c', "tr '\\0' '\\n' </proc/1/environ; tr '\\0' ' ' </proc/1/cmdline"], {
      env: { TOKEN: 'inside' },
    })
    expect(result.out).to.match(/^PATH=\/usr\/bin:\/bin\n/)
    expect(result.out).to.not.include('inside')
    expect(result.out).to.not.include('CANARY')
  })

  it('T-44 still lets programs do ordinary work', async () => {
    const code =
      'import threading, subprocess, socket, tempfile, os; threading.Thread(target=print).start(); subprocess.run(["true"], check=True); socket.socketpair(); tempfile.TemporaryFile().write(b"x"); os.mkfifo("/job/f"); print("fine")'
    expect((await box.run('python3', ['-c', code])).out).to.include('fine')
  })
})

import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { groupsAt } from '../../../core/exec/cgroup.js'
import { needs, openSandbox } from '../../support/exec-sandbox.js'
import type { TestSandbox } from '../../support/exec-sandbox.js'

const SHELL = 'chromium-headless-shell'
const isRoot = process.geteuid?.() === 0

describe('core/exec launcher', function () {
  this.timeout(40_000)
  let box: TestSandbox
  let folder: string
  let page: Server
  let proxy: Server
  let port = 0

  before(async function () {
    needs(this, 'bwrap', 'bash')
    folder = await mkdtemp(join(tmpdir(), 'capstan-launch-'))
    await chmod(folder, 0o755)
    page = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>direct</h1>')).listen(0, '127.0.0.1')
    proxy = createServer((request, response) =>
      response.setHeader('content-type', 'text/html').end(`<h1>proxied ${request.url}</h1>`),
    ).listen(join(folder, 'proxy.sock'))
    await new Promise((resolve) => page.once('listening', resolve))
    const address = page.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
    box = await openSandbox({ proxySocket: () => Promise.resolve(join(folder, 'proxy.sock')) })
  })

  after(async () => {
    page?.close()
    proxy?.close()
    await box?.close()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })

  const place = async (name: string): Promise<string> => {
    await mkdir(join(folder, name), { mode: 0o755 })
    return join(folder, name)
  }

  it('passes arguments and descriptors 3 and 4 through, and neither environment nor files', async () => {
    const writable = await place('writable')
    await writeFile(join(folder, 'canary'), 'canary')
    const path = await box.sandbox.launcher('bash', { folder: await place('plain'), writable: [writable] })
    const script = `read -r line <&3; echo "$line $1" >&4; env; cat ${folder}/canary; echo kept > ${writable}/out; cat /etc/shadow; grep CapEff /proc/self/status`
    const child = spawn(path, ['-c', script, 'bash', 'it is; $(id)'], {
      env: { ...process.env, SECRET: 'hunter2' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    })
    const [out, reply, input] = [child.stdout, child.stdio[4], child.stdio[3]]
    if (
      out === null ||
      reply === null ||
      reply === undefined ||
      !('read' in reply) ||
      input === null ||
      input === undefined ||
      !('write' in input)
    )
      throw new Error('no pipes')
    input.end('over three\n')
    const texts = await Promise.all([out, reply].map(async (stream) => textOf(stream as AsyncIterable<Buffer>)))
    expect(texts[1]).to.equal('over three it is; $(id)\n')
    expect(texts[0]).to.not.include('hunter2').and.not.include('canary').and.not.include('root:')
    expect(texts[0]).to.include('0000000000000000')
    expect(await readFile(join(writable, 'out'), 'utf8')).to.equal('kept\n')
  })

  it('T-45 ends a launched program whose processes together pass the limit where there is no control group', async function () {
    needs(this, 'python3')
    const own = await openSandbox({ groups: groupsAt({ version: null, folders: new Map() }), launchedMemoryMb: 200 })
    try {
      const path = await own.sandbox.launcher('python3', { folder: await place('ungrouped'), writable: [] })
      const ends = async (mib: number): Promise<{ code: number | null; signal: string | null }> => {
        const text = `import mmap, os, time\nfor k in range(2):\n  if os.fork() == 0:\n    m = mmap.mmap(-1, ${mib} << 20)\n    for i in range(0, ${mib} << 20, 4096): m[i] = 1\n    time.sleep(9); os._exit(0)\ntime.sleep(1.5)`
        const child = spawn(path, ['-c', text], { stdio: 'ignore' })
        return await new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
      }
      expect(await ends(60)).to.include({ code: 0, signal: null })
      expect(await ends(150)).to.include({ signal: 'SIGKILL' })
      expect(own.logs.join()).to.include('exceeded its memory limit')
    } finally {
      await own.close()
    }
  })

  it('T-33 runs Chromium with its own sandbox on, inside ours, with the network of the host', async function () {
    needs(this, SHELL)
    const path = await box.sandbox.launcher(SHELL, { folder: await place('host'), writable: [] })
    const browser = await chromium.launch({
      executablePath: path,
      chromiumSandbox: true,
      env: { ...process.env, SECRET: 'hunter2' },
    })
    try {
      const tab = await browser.newPage()
      await tab.goto(`http://127.0.0.1:${port}/`)
      expect(await tab.textContent('h1')).to.equal('direct')
      expect((await tab.screenshot()).length).to.be.greaterThan(1000)
      const renderers = await processes('--type=renderer')
      expect(renderers.length).to.be.greaterThan(0)
      for (const pid of renderers) {
        expect(await readFile(`/proc/${pid}/status`, 'utf8')).to.match(/Seccomp:\t2/)
        // Renderers make themselves unreadable for others than root.
        if (!isRoot) continue
        expect(await readlink(`/proc/${pid}/ns/net`)).to.not.equal(await readlink('/proc/self/ns/net'))
        expect(await readFile(`/proc/${pid}/environ`, 'utf8')).to.not.include('hunter2')
      }
      await writeFile(join(folder, 'page.html'), 'canary')
      const opened = await tab.goto(`file://${folder}/page.html`).then(() => true, () => false) // prettier-ignore
      expect(opened).to.equal(false)
    } finally {
      await browser.close()
    }
  })

  it('T-33 leaves Chromium no way out but the guard proxy when a proxy port is given', async function () {
    needs(this, SHELL)
    const path = await box.sandbox.launcher(SHELL, { folder: await place('proxied'), writable: [], proxied: true })
    const browser = await chromium.launch({ executablePath: path, chromiumSandbox: true, proxy: { server: 'http://127.0.0.1:3128' } })
    try {
      const tab = await browser.newPage()
      await tab.goto('http://example.com/here')
      expect(await tab.textContent('h1')).to.equal('proxied http://example.com/here')
    } finally {
      await browser.close()
    }
    const open = await chromium.launch({ executablePath: path, chromiumSandbox: true })
    try {
      const tab = await open.newPage()
      const reached = await tab.goto(`http://127.0.0.1:${port}/`).then(() => true, () => false) // prettier-ignore
      expect(reached).to.equal(false)
    } finally {
      await open.close()
    }
  })
})

/** Processes of this test's sandboxes with a word on their command line: by control group as root, else by user. */
async function processes(word: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const texts = (name: string): Promise<string[]> =>
    Promise.all(pids.map((pid) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')))
  const [lines, groups, states] = await Promise.all([texts('cmdline'), texts('cgroup'), texts('status')])
  const own = (index: number): boolean =>
    isRoot
      ? groups[index]?.includes(`capstan-job-${process.pid}-`) === true
      : states[index]?.includes(`Uid:\t${process.geteuid?.()}\t`) === true
  return pids.filter((_, index) => lines[index]?.includes(word) === true && own(index))
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString()
}

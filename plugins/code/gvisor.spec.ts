import { expect } from 'chai'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../core/sdk/index.js'
import { CodeBench } from '../../test/support/code.js'
import { needsProgram, notMeasured } from '../../test/support/needs.js'
import type { CodeInput, CodeOutput } from './contract.js'
import { gvisor } from './providers/gvisor.js'

describe('programs on gVisor itself (runsc)', function () {
  this.timeout(60_000)
  let folder: string
  let bench: CodeBench
  let host: Server
  let reached = 0

  before(async function () {
    needsProgram(this, 'runsc')
    folder = mkdtempSync(join(tmpdir(), 'capstan-gvisor-'))
    bench = await CodeBench.open(undefined, { protectedPaths: ['/usr/bin/arch'], coveredFolders: ['/usr/share/doc'] })
    bench.settings = { state: join(folder, 'state') }
    try {
      await run('shell', 'true')
    } catch (error) {
      if (!Fault.is(error) || error.message !== 'gVisor works on none of its platforms here.') throw error
      notMeasured(this, `gVisor works on none of its platforms here: ${error.internal ?? ''}`.slice(0, 500))
    }
    host = createServer((socket) => {
      reached++
      socket.end('of the host')
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    host?.close()
    await bench?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const run = (language: CodeInput['language'], code: string, more: Partial<CodeInput> = {}): Promise<CodeOutput> =>
    bench.run(gvisor, { language, code, ...more })

  it('print, end with their own code, and give files back', async () => {
    const code = "import sys\nprint('out')\nprint('err', file=sys.stderr)\nopen('made.txt', 'w').write('made')\nsys.exit(7)"
    const answer = await run('python', code)
    expect([answer.stdout, answer.stderr, answer.exit_code]).to.deep.equal(['out\n', 'err\n', 7])
    expect(bench.stored.map(({ name, data }) => [name, Buffer.from(data).toString()])).to.deep.equal([['made.txt', 'made']])
    expect((await run('javascript', 'console.log([1, 2].map((each) => each * 2).join())')).stdout).to.equal('2,4\n')
  })

  it("run on gVisor's kernel and as nobody", async () => {
    const { stdout } = await run('shell', 'dmesg | head -1; id -u; grep ^CapEff /proc/self/status')
    const [kernel = '', user, capabilities] = stdout.split('\n')
    expect(kernel).to.contain('Starting gVisor')
    // Without root there is one user, which is nobody on the host.
    expect(user).to.equal(process.geteuid?.() === 0 ? '65534' : '0')
    expect(capabilities).to.equal(`CapEff:\t${'0'.repeat(16)}`)
  })

  it('T-44 have no network: nothing of the host and nothing beyond is reached', async () => {
    const { port } = host.address() as AddressInfo
    const code = `
import socket
def reach(host, port):
    try:
        socket.create_connection((host, port), 2)
        return 'reached'
    except OSError as error:
        return 'refused'
print([reach('127.0.0.1', ${port}), reach('192.0.2.1', 80), [name for _, name in socket.if_nameindex() if name != 'lo']])`
    expect((await run('python', code)).stdout).to.equal("['refused', 'refused', []]\n")
    expect(reached).to.equal(0)
  })

  it('T-44 T-45 see no file of the host but what every program is shown, and write none', async () => {
    const secret = join(folder, 'secret.txt')
    writeFileSync(secret, 'a canary')
    const look = `
cat ${secret} /root/.bashrc /etc/shadow 2>/dev/null
ls -d /home /root /var ${folder} 2>/dev/null
cat /usr/bin/arch 2>/dev/null | wc -c
ls /usr/share/doc | wc -l
for place in /usr/x /x /etc/x; do (echo x > $place) 2>/dev/null && echo "wrote $place"; done
touch mine && echo mine`
    const answer = await run('shell', look)
    expect(answer.stdout).to.equal('0\n0\nmine\n')
  })

  it('are ended at their time and keep what they printed', async () => {
    const answer = await run('shell', 'echo begun; exec sleep 30', { timeout: 2 })
    expect([answer.exit_code, answer.stdout]).to.deep.equal([124, 'begun\n'])
  })
})

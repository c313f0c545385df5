import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { CodeBench } from '../../test/support/code.js'
import { needs } from '../../test/support/exec-sandbox.js'
import type { CodeInput } from './contract.js'
import { bubblewrap } from './providers/bubblewrap.js'
import { skip } from '../../test/support/needs.js'

describe('code.execute: programs that mean harm', function () {
  this.timeout(180_000)
  let bench: CodeBench
  const run = async (given: Partial<CodeInput> & { code: string }) => bench.run(bubblewrap, given, { ms: 150_000 })

  before(async function () {
    needs(this, 'bwrap', 'python3', 'node')
    bench = await CodeBench.open()
  })
  after(() => bench.close())

  const STUBBORN: Readonly<Record<string, Partial<CodeInput> & { code: string }>> = {
    Python: {
      code: 'import os, signal, time\nfor n in (1, 2, 3, 15): signal.signal(n, signal.SIG_IGN)\nprint("here")\nwhile True: time.sleep(1)',
    },
    'Python with a child of its own session': {
      code: 'import os, signal, time\nprint("here")\nif os.fork() == 0: os.setsid()\nsignal.signal(15, signal.SIG_IGN)\nwhile True: time.sleep(1)',
    },
    JavaScript: { code: 'process.on("SIGTERM", () => {}); console.log("here"); setInterval(() => {}, 1000)', language: 'javascript' },
    shell: { code: "trap '' TERM INT HUP; echo here; while :; do sleep 1; done", language: 'shell' },
  }
  for (const [name, given] of Object.entries(STUBBORN)) {
    it(`T-45 ${name} that takes no signal is ended at its time, with what it printed`, async () => {
      expect(await run({ ...given, timeout: 2 })).to.include({ exit_code: 124, stdout: 'here\n' })
    })
  }

  it('T-45 a fork bomb, a flood and a full disk in one program each are an answer, and the next program runs', async () => {
    const forks = await run({ code: 'f() { f | f & }; f; sleep 1; echo over', language: 'shell', timeout: 4 })
    expect(forks.exit_code).to.be.a('number')
    const output = await run({ code: 'while True: print("x" * 100_000)', timeout: 20 })
    expect(output.stdout.length).to.be.lessThan(1024 * 1024 + 200)
    const disk = await run({ code: 'with open("f", "wb") as f:\n  while True: f.write(b"x" * 1_000_000)', timeout: 30 })
    expect([disk.exit_code, disk.output_files]).to.eql([1, []])
    expect(disk.stderr).to.match(/No space left on device|File too large/)
    expect(await run({ code: 'print(1)' })).to.include({ stdout: '1\n', exit_code: 0 })
  })

  it('T-44 T-46 sees no secrets of the machine and reaches nothing, in each language', async () => {
    const python = `import socket
for path in ('/etc/shadow', '/root/.ssh/id_rsa', '/proc/1/environ', '/proc/1/root/etc/shadow'):
  try: print(path, 'root:' in open(path).read())
  except OSError as error: print('refused')
for to in (('127.0.0.1', 80), ('169.254.169.254', 80), ('8.8.8.8', 53)):
  try: socket.create_connection(to, 1); print('reached', to)
  except OSError: print('refused')
for kind in (socket.AF_INET, socket.AF_PACKET):
  try: socket.socket(kind, socket.SOCK_RAW, 1); print('raw')
  except (OSError, PermissionError): print('refused')`
    const { stdout } = await run({ code: python })
    expect(stdout).not.to.match(/True|reached|raw/)
    const javascript = `const fs = require('fs'), net = require('net')
try { console.log(fs.readFileSync('/etc/shadow', 'utf8')) } catch { console.log('refused') }
net.connect(80, '127.0.0.1').on('connect', () => console.log('reached')).on('error', () => console.log('refused'))`
    expect((await run({ code: javascript, language: 'javascript' })).stdout).to.equal('refused\nrefused\n')
  })

  it('T-45 a figure of 20,000 by 20,000 pixels and a thousand figures are bounded', async function () {
    if (spawnSync('/usr/bin/python3', ['-c', 'import matplotlib']).status !== 0) skip(this, 'Matplotlib is not installed')
    const large = await run({
      code: 'import matplotlib.pyplot as plt\nplt.figure(figsize=(200, 200), dpi=100)\nplt.plot([1, 2])\nprint("drawn")',
      timeout: 100,
    })
    expect(large.stdout).to.equal('drawn\n')
    if (large.output_files.length === 0) expect(large.stderr).to.match(/figure 1 could not be saved|out of memory/)
    else expect(large.output_files.map(({ content_base64: content }) => content)).to.eql([null])
    const many = await run({
      code: 'import matplotlib.pyplot as plt\nfor n in range(1000):\n  plt.figure(figsize=(1, 1), dpi=20).text(0, 0, "x")',
      timeout: 120,
    })
    expect(many.output_files.map(({ name }) => name))
      .to.have.lengthOf(20)
      .and.include('figure-20.png')
    expect(many.stderr).to.contain('only 20 figures are saved\n')
    expect(many.exit_code).to.equal(0)
  })
})

import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../core/sdk/index.js'
import { CodeBench } from '../../test/support/code.js'
import type { CodeInput } from './contract.js'
import { bubblewrap } from './providers/bubblewrap.js'
import { zipOf } from './zip.js'
import { skip } from '../../test/support/needs.js'
import { atMost } from '../../test/support/time.js'

/** A package index in place of the guard proxy, with one wheel. */
async function indexServer(folder: string): Promise<{ server: Server; socket: string; asked: string[] }> {
  const metadata = 'Metadata-Version: 2.1\nName: greeting\nVersion: 1.2.0\n'
  const wheel = zipOf(
    Object.entries({
      'greeting.py': 'TEXT = "hello from a wheel"\n',
      'greeting-1.2.0.dist-info/METADATA': metadata,
      'greeting-1.2.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      'greeting-1.2.0.dist-info/RECORD': 'greeting.py,,\n',
    }).map(([name, text]) => ({ name, data: Buffer.from(text) })),
  )
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://index.example')
    asked.push(pathname)
    if (pathname.startsWith('/away/')) return void request.destroy()
    if (pathname === '/simple/greeting/')
      response
        .setHeader('content-type', 'text/html')
        .end('<a href="/files/greeting-1.2.0-py3-none-any.whl">greeting-1.2.0-py3-none-any.whl</a>')
    else if (pathname.endsWith('.whl')) response.setHeader('content-type', 'application/octet-stream').end(wheel)
    else response.writeHead(404).end()
  })
  const socket = join(folder, 'proxy.sock')
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return { server, socket, asked }
}

const file = (name: string, content: string) => ({ name, content, encoding: 'utf-8' as const, url: null })

describe('code.execute by bubblewrap', function () {
  this.timeout(120_000)
  let bench: CodeBench
  let folder: string
  let index: Awaited<ReturnType<typeof indexServer>>
  const run = async (given: Partial<CodeInput> & { code: string }) => bench.run(bubblewrap, given)

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'capstan-index-'))
    await chmod(folder, 0o711)
    index = await indexServer(folder)
    bench = await CodeBench.open(async () => index.socket)
    const missing = ['bwrap', 'python3', 'node', 'sh'].filter((name) => bench.sandbox.program(name) === undefined)
    if (missing.length === 0) return
    if (process.env['CI'] === 'true') throw new Error(`programs are missing: ${missing.join(', ')}`)
    skip(this, `${missing.join(', ')}: not installed`)
  })
  after(async () => {
    await bench.close()
    index.server.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('runs Python, JavaScript and shell', async () => {
    const [python, javascript, shell] = await Promise.all([
      run({ code: 'import sys\nprint(6 * 7)\nprint("low", file=sys.stderr)\nsys.exit(3)' }),
      run({ code: 'console.log(require("os").hostname()); console.error("low"); process.exit(4)', language: 'javascript' }),
      run({ code: 'echo "${BASH_VERSION%%.*}" && printf low >&2 && exit 5', language: 'shell' }),
    ])
    expect(python).to.include({ stdout: '42\n', stderr: 'low\n', exit_code: 3, template_used: 'default' })
    expect(javascript).to.include({ stdout: 'sandbox\n', stderr: 'low\n', exit_code: 4 })
    expect(shell).to.include({ stderr: 'low', exit_code: 5 })
    expect(shell.stdout).to.match(/^\d+\n$/)
  })

  const MIXES: readonly (readonly [string, string, string])[] = [
    [
      'require beside top-level await',
      'const os = require("os")\nconst x = await Promise.resolve(5)\nconsole.log(x, typeof os.cpus)',
      '5 function',
    ],
    [
      'import beside require, module.exports and __dirname',
      'import { basename } from "node:path"\nmodule.exports = 1\nconsole.log(basename(__filename), __dirname, typeof require("fs").rm, typeof exports)',
      'main.js /job function object',
    ],
    [
      'import.meta and export beside require.main',
      'export const a = 1\nif (require.main === module) console.log("main", import.meta.url.endsWith("main.js"))',
      'main true',
    ],
    [
      'CommonJS alone',
      'console.log(require.main === module, this === module.exports, __filename)\nmodule.exports = 2',
      'true true /job/main.js',
    ],
    ['a module alone', 'import fs from "node:fs"\nconsole.log(await fs.promises.readdir("."))', "[ '.tmp', 'main.js' ]"],
    ['a byte order mark before a first line that names an interpreter', '\ufeff#!/usr/bin/env node\r\nconsole.log(1)\r\n', '1'],
  ]
  for (const [what, code, printed] of MIXES)
    it(`F18 JavaScript runs ${what}`, async () => {
      const { stdout, stderr, output_files: files } = await run({ code, language: 'javascript' })
      expect({ stdout, stderr }).to.deep.equal({ stdout: `${printed}\n`, stderr: '' })
      expect(files).to.deep.equal([])
    })

  it('F18 a shell program with line ends of Windows and a byte order mark runs as one with those of Unix', async () => {
    const code = '\ufeff#!/bin/bash\r\necho one\r\nif [ 1 = 1 ]; then\r\n  cat <<END\r\ntwo\r\nEND\r\nfi\r\n'
    expect(await run({ code, language: 'shell' })).to.include({ stdout: 'one\ntwo\n', stderr: '', exit_code: 0 })
  })

  it('Python that was started before its program runs it as any Python does, and none runs two', async () => {
    const code = `import os, sys
print(sys.path, sys.argv, sys.flags, __name__, __file__, sorted(os.environ.items()), os.getcwd(), sys.stdin.read(), 'left' in os.listdir('/tmp'))
open('/tmp/left', 'w').close()
def f(): return 1 / 0
f()`
    const plain = await run({ language: 'shell', code: 'exec python3 -u -B main.py', input_files: [file('main.py', code)] })
    const [first, second] = [await run({ code }), await run({ code })]
    // The shell adds itself to the environment.
    const same = ({ stdout, stderr, exit_code }: typeof plain) => [
      stdout.replace(/\('(?:_|OLDPWD|SHLVL)', '[^']*'\),? ?/g, ''),
      stderr,
      exit_code,
    ]
    expect(same(first)).to.deep.equal(same(plain))
    expect(same(second)).to.deep.equal(same(plain))
    expect(first.stderr).to.match(/^Traceback .*\n {2}File "\/job\/main.py", line 5/)
  })

  for (const [what, code, stdout] of [
    ['a value', 'x = 20\nx + 1', '21\n'],
    ['a text, as Python writes it', '"a\\n"', "'a\\n'\n"],
    ['nothing where the program printed', 'print(1)\n2', '1\n'],
    ['nothing where it wrote to the stream below', 'import sys\nsys.stdout.buffer.write(b"1")\n2', '1'],
    ['nothing where a process it started can have printed', 'import subprocess\nsubprocess.run(["echo", "x"])', 'x\n'],
    ['nothing where a shell it started can have printed', 'import os\nos.system("echo x")', 'x\n'],
    [
      'the value where the output of a process was taken',
      'import subprocess\nsubprocess.run(["echo", "x"], capture_output=True).stdout',
      "b'x\\n'\n",
    ],
    ['nothing of an assignment', 'x = 1', ''],
    ['nothing of None', '[].sort()', ''],
    ['under the rules of the future that the program asks for', 'from __future__ import annotations\n(lambda: 1).__annotations__', '{}\n'],
  ] as const)
    it(`Python: the last expression gives ${what}`, async () => {
      const result = await run({ code })
      expect(result).to.include({ stderr: '', exit_code: 0 })
      expect(result.stdout).to.equal(stdout)
    })

  it('Python: errors, exits and classes are those of any program, in the last expression too', async () => {
    const last = await run({ code: 'def f():\n  return 1 / 0\nf()' })
    expect(last.stderr).to.equal(
      'Traceback (most recent call last):\n  File "/job/main.py", line 3, in <module>\n    f()\n  File "/job/main.py", line 2, in f\n    return 1 / 0\n           ~~^~~\nZeroDivisionError: division by zero\n',
    )
    expect((await run({ code: 'def f(:' })).stderr).to.match(/^ {2}File "\/job\/main.py", line 1\n[^]*SyntaxError: invalid syntax\n$/)
    expect(await run({ code: 'raise SystemExit(7)' })).to.include({ stderr: '', exit_code: 7 })
    expect(await run({ code: 'import sys\nsys.exit("bye")' })).to.include({ stderr: 'bye\n', exit_code: 1 })
    expect(await run({ code: 'import pickle\nclass A: pass\ntype(pickle.loads(pickle.dumps(A()))).__module__' })).to.include({
      stdout: "'__main__'\n",
    })
  })

  it('Python: figures come back without savefig, and once when the program saves them', async function () {
    if (spawnSync('/usr/bin/python3', ['-c', 'import matplotlib']).status !== 0) skip(this, 'Matplotlib is not installed')
    const drawn = await run({
      code: 'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nplt.figure()\nplt.bar([1], [2])\nplt.figure()\nopen("figure-2.png", "w").close()',
    })
    expect(drawn).to.include({ stdout: '', stderr: '', exit_code: 0 })
    const png = (content: string | null | undefined) =>
      Buffer.from(content ?? '', 'base64')
        .subarray(1, 4)
        .toString()
    const byName = Object.fromEntries(drawn.output_files.map(({ name, content_base64 }) => [name, png(content_base64)]))
    expect(byName).to.deep.equal({ 'figure-1.png': 'PNG', 'figure-2.png': '', 'figure-3.png': 'PNG' })
    const saved = await run({ code: 'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig("mine.svg")' })
    expect(saved.output_files.map(({ name }) => name)).to.deep.equal(['mine.svg'])
    const failed = await run({ code: 'import matplotlib.pyplot as plt\nplt.plot([1, 2])\n1 / 0' })
    expect([failed.exit_code, failed.output_files.map(({ name }) => name)]).to.deep.equal([1, ['figure-1.png']])
  })

  it('tells what a program prints while it runs', async () => {
    bench.steps.length = 0
    await run({ code: 'print("first")' })
    await run({ code: 'echo second', language: 'shell' })
    expect(bench.steps.filter(({ step }) => step === 'output').map(({ detail }) => detail)).to.deep.equal(['first', 'second'])
  })

  it('Python: what goes past the stream counts as printed, whatever way it takes', async () => {
    const ways = [
      'import os\nos.write(1, b"past\\n")',
      'import os\nos.write(os.dup(1), b"past\\n")',
      'import os\nos.writev(1, [b"past", b"\\n"])',
      'with open(1, "w", closefd=False) as out: out.write("past\\n")\n5',
      'import subprocess, sys\nsubprocess.run(["echo", "past"], stdout=sys.stdout).returncode',
    ]
    bench.steps.length = 0
    for (const code of ways) expect(await run({ code }), code).to.include({ stdout: 'past\n', stderr: '', exit_code: 0 })
    expect(bench.steps.filter(({ step }) => step === 'output').map(({ detail }) => detail)).to.deep.equal(ways.map(() => 'past'))
    const others = ['import os\nos.write(2, b"low")', 'import os\nr, w = os.pipe()\nos.write(w, b"low")']
    for (const code of others) expect((await run({ code })).stdout, code).to.equal('3\n')
  })

  it('runs modules with import and top-level await', async () => {
    expect(
      await run({
        code: 'import { basename } from "node:path"\nconsole.log(await Promise.resolve(basename("/a/b")))',
        language: 'javascript',
      }),
    ).to.include({ stdout: 'b\n', exit_code: 0 })
  })

  it('T-47 gives back files that were made or changed, and neither the untouched nor its own nor links', async () => {
    const code = [
      'import os',
      'text = open("in.csv").read() + open("raw.bin", "rb").read().hex()',
      'open("out.txt", "w").write(text)',
      'open("changed.txt", "a").write("!")',
      'os.makedirs("plots"); open("plots/a.svg", "w").write("<svg/>")',
      'os.symlink("/etc/passwd", "link.txt"); os.mkfifo("pipe")',
      'open("main.py", "a").write("#")',
    ].join('\n')
    bench.pages.set('https://data.example/raw.bin', {
      url: '',
      status: 200,
      headers: {},
      contentType: '',
      charset: '',
      bytes: Uint8Array.of(0xca, 0xfe),
    })
    const input_files: CodeInput['input_files'] = [
      { name: 'in.csv', content: 'n\n', encoding: 'utf-8', url: null },
      { name: 'changed.txt', content: Buffer.from('so').toString('base64'), encoding: 'base64', url: null },
      { name: 'raw.bin', content: null, encoding: 'utf-8', url: 'https://data.example/raw.bin' },
    ]
    const { output_files, stderr, exit_code } = await run({ code, input_files })
    expect({ stderr, exit_code }).to.eql({ stderr: '', exit_code: 0 })
    const found = output_files
      .sort((one, other) => one.name.localeCompare(other.name))
      .map(({ name, content_type, content_base64 }) => [name, content_type, Buffer.from(content_base64 ?? '', 'base64').toString()])
    expect(found).to.eql([
      ['changed.txt', 'text/plain', 'so!'],
      ['out.txt', 'text/plain', 'n\ncafe'],
      ['plots/a.svg', 'image/svg+xml', '<svg/>'],
    ])
  })

  it('leaves the content of files over 256 KiB to their link, keeps 20 files, and says what was left out', async () => {
    bench.notes.length = 0
    const { output_files } = await run({
      code: 'open("0big", "wb").write(b"x" * 300_000)\nfor n in range(25): open(f"f{n}", "w").write("x")',
    })
    expect(output_files).to.have.length(20)
    const big = output_files.find(({ name }) => name === '0big')
    if (big !== undefined) expect(big).to.include({ size_bytes: 300_000, content_base64: null, url: 'https://files.example/0big' })
    expect(bench.notes.join()).to.contain('6 output files were left out')
  })

  it('T-45 answers 124 with the output so far for a program that outlasts its timeout', async function () {
    const result = await run({ code: 'import time\nprint("begun")\ntime.sleep(60)', timeout: 1 })
    expect(result).to.include({ stdout: 'begun\n', exit_code: 124, stderr: 'stopped: the time limit of 1 s was reached\n' })
    expect(result.execution_time_ms).to.be.at.least(500)
    await atMost(this, { what: 'until it was stopped', value: result.execution_time_ms, limit: 2500 })
  })

  it('T-45 F-32 answers 137 and names the limit for programs that run out of memory', async () => {
    const python = await run({ code: 'x = []\nwhile True: x.append(b"x" * 10_000_000)', timeout: 50 })
    expect(python.exit_code).to.equal(137)
    expect(python.stderr).to.match(/stopped: out of memory, the limit is 512 MiB\n$/)
    const javascript = await run({ code: 'const x = []; for (;;) x.push(new Array(1e6).fill(0.5))', language: 'javascript', timeout: 50 })
    expect(javascript.exit_code).to.equal(137)
    expect(javascript.stderr).to.match(/stopped: out of memory, the limit is 512 MiB\n$/)
  })

  it('T-45 cuts a flood of output at 1 MiB with a mark', async () => {
    const { stdout } = await run({ code: 'print("x" * 3_000_000)' })
    expect(stdout).to.have.length.within(1024 * 1024, 1024 * 1024 + 100)
    expect(stdout).to.match(/output cut: only the first 1 MiB is kept\]\n$/)
  })

  it('T-44 T-46 has no network, no host files and no secrets of the gateway', async () => {
    process.env['CAPSTAN_TEST_CANARY'] = 'canary-5f1c'
    const code = 'cat /etc/shadow; env; tr "\\0" "\\n" </proc/1/environ; ls /root /home /work; (echo >/dev/tcp/1.1.1.1/80) && echo reached'
    const { stdout, stderr } = await run({ code, language: 'shell' })
    expect(stdout).not.to.match(/reached|canary-5f1c|root:/)
    expect(stderr).to.contain('/etc/shadow')
    delete process.env['CAPSTAN_TEST_CANARY']
  })

  it('T-46 installs wheels in a step with network and runs the program without', async () => {
    bench.settings = { pip_index: 'http://index.example/simple' }
    const code =
      'import greeting, socket\nprint(greeting.TEXT)\ntry:\n  socket.create_connection(("127.0.0.1", 3128), 1)\n  print("network")\nexcept OSError: print("no network")'
    const result = await run({ code, packages: ['greeting==1.2.0'] })
    expect(result).to.include({ stdout: 'hello from a wheel\nno network\n', stderr: '', exit_code: 0 })
    expect(result.output_files).to.eql([])
    expect(index.asked).to.include('/simple/greeting/')
  })

  it('names the packages that cannot be had', async () => {
    bench.settings = { pip_index: 'http://index.example/simple' }
    const fault: unknown = await run({ code: '1', packages: ['absent-package'] }).catch((error: unknown) => error)
    if (!Fault.is(fault)) throw new Error(String(fault))
    expect(fault.kind).to.equal('invalid')
    expect(fault.loc).to.eql(['packages'])
    expect(fault.message).to.contain('absent-package').and.not.contain('index.example')
  })

  it('says that packages need the index, where that cannot be reached', async () => {
    bench.settings = { pip_index: 'http://index.example/away' }
    const fault: unknown = await run({ code: '1', packages: ['greeting'] }).catch((error: unknown) => error)
    if (!Fault.is(fault)) throw new Error(String(fault))
    expect([fault.kind, fault.loc]).to.eql(['missing', ['packages']])
    expect(fault.message).to.contain('could not be reached').and.contain('pip_index')
  })

  it('refuses input files whose address answers with an error, at their place', async () => {
    bench.pages.set('https://data.example/none', {
      url: '',
      status: 404,
      headers: {},
      contentType: '',
      charset: '',
      bytes: new Uint8Array(),
    })
    const fault: unknown = await run({
      code: '1',
      input_files: [{ name: 'a', content: null, encoding: 'utf-8', url: 'https://data.example/none' }],
    }).catch((error: unknown) => error)
    expect(Fault.is(fault) && [fault.kind, fault.loc]).to.eql(['invalid', ['input_files', 0, 'url']])
  })
})

import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CodeBench } from '../../test/support/code.js'
import { containerTool } from '../../test/support/container-tools.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { errorOf } from '../../test/support/unit.js'
import type { CodeInput, CodeOutput } from './contract.js'
import { docker } from './providers/docker.js'
import { gvisor } from './providers/gvisor.js'

const IMAGE = 'an-image'
const TOOLS = [
  { name: 'docker', program: 'docker', provider: docker },
  { name: 'gvisor', program: 'runsc', provider: gvisor },
] as const

describe('sandboxes that other tools bring', function () {
  this.timeout(30_000)
  let folder: string
  let bench: CodeBench

  beforeEach(async function () {
    needs(this, 'bwrap', 'bash', 'tar')
    folder = mkdtempSync(join(tmpdir(), 'capstan-tools-'))
    const tools = new Map(TOOLS.map(({ program }) => [program as string, containerTool(folder, program, IMAGE)]))
    bench = await CodeBench.open(undefined, {
      programs: (name) => tools.get(name),
      protectedPaths: ['/usr/bin/arch'],
      coveredFolders: ['/usr/share/doc'],
    })
    bench.settings = { shell: IMAGE }
  })
  afterEach(async () => {
    await bench.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const shell = (provider: typeof docker, code: string, more: Partial<CodeInput> = {}): Promise<CodeOutput> =>
    bench.run(provider, { language: 'shell', code, ...more })
  const leftOnHost = (): string[] => JSON.parse(readFileSync(join(folder, 'left.json'), 'utf8')) as string[]

  for (const { name, provider } of TOOLS) {
    it(`T-45 ${name}: what a program writes is bounded as a whole and never lies on the host`, async () => {
      const answer = await shell(provider, 'for i in 1 2 3 4 5 6; do head -c 60000000 /dev/zero > f$i || exit 28; done')
      expect(answer.exit_code).to.equal(28)
      expect(answer.stderr).to.contain('No space left on device')
      expect(leftOnHost()).to.eql(name === 'docker' ? [] : ['config.json', 'empty'])
    })

    it(`T-47 ${name}: files go in and come out with the bounds of the sandbox: no links, devices, hidden or unchanged ones`, async () => {
      const long = `${'n'.repeat(150)}.bin`
      const bytes = Buffer.from(Array.from({ length: 1500 }, (_, index) => index % 256))
      const given = (file: string): CodeInput['input_files'][number] => ({
        name: file,
        content: bytes.toString('base64'),
        encoding: 'base64',
        url: null,
      })
      const answer = await shell(
        provider,
        `cat ${long}; echo new > made; echo more >> changed; ln -s /etc/passwd link; mkfifo pipe; echo x > .hidden; mkdir sub; echo y > sub/deep; head -c 21000000 /dev/zero > large`,
        { input_files: [given(long), given('changed'), given('-same')] },
      )
      expect([answer.stderr, answer.exit_code]).to.eql(['', 0])
      expect(answer.stdout).to.equal(bytes.toString('utf8'))
      expect(bench.stored.map((file) => file.name).sort()).to.eql(['changed', 'made', 'sub/deep'])
      expect(bench.stored.find((file) => file.name === 'changed')?.data).to.eql(Buffer.concat([bytes, Buffer.from('more\n')]))
      expect(bench.notes.join()).to.contain('1 output file was left out')
    })

    it(`${name}: code and streams are the program's own, what a left process prints does no harm`, async () => {
      const answer = await shell(provider, 'echo out; echo err >&2; cat; (sleep 0.2; echo late) & exit 125')
      expect([answer.stdout, answer.stderr, answer.exit_code]).to.eql(['out\n', 'err\n', 125])
    })

    it(`${name}: a program that outlasts its time keeps what it printed`, async () => {
      const answer = await shell(provider, 'echo begun; exec sleep 30', { timeout: 1 })
      expect([answer.exit_code, answer.stdout]).to.eql([124, 'begun\n'])
    })
  }

  it('gvisor: the platform is found by trying, once, and never with the code of a caller', async () => {
    writeFileSync(join(folder, 'refused'), 'systrap')
    for (const word of ['one', 'two']) expect((await shell(gvisor, `echo ${word}`)).stdout).to.equal(`${word}\n`)
    expect(readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n')).to.eql(['systrap', 'ptrace', 'ptrace', 'ptrace'])
  })

  it('gvisor: calls that come at once wait for one search', async () => {
    writeFileSync(join(folder, 'refused'), 'systrap')
    const answers = await Promise.all(['one', 'two', 'three'].map((word) => shell(gvisor, `echo ${word}`)))
    expect(answers.map(({ stdout }) => stdout)).to.eql(['one\n', 'two\n', 'three\n'])
    expect(readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n')).to.eql(['systrap', 'ptrace', 'ptrace', 'ptrace', 'ptrace'])
  })

  it('gvisor: a machine on which no platform works is broken, and looked at again by the next call', async () => {
    writeFileSync(join(folder, 'refused'), 'systrap ptrace')
    expect(await errorOf(shell(gvisor, 'echo x'))).to.have.property('kind', 'broken')
    rmSync(join(folder, 'refused'))
    expect((await shell(gvisor, 'echo x')).stdout).to.equal('x\n')
  })

  it('gvisor: a platform that the operator names is taken as it is', async () => {
    bench.settings = { platform: 'kvm' }
    expect((await shell(gvisor, 'echo x')).stdout).to.equal('x\n')
    expect(readFileSync(join(folder, 'runs'), 'utf8')).to.equal('kvm\n')
  })

  it('T-44 gvisor: a program sees what the sandbox shows, and nothing hidden, by /bin neither', async () => {
    const look =
      'cat /usr/bin/arch /bin/arch 2>/dev/null | wc -c; ls /usr/share/doc | wc -l; [ -s /bin/sh ] && echo shown; ls -d /home /root /var 2>/dev/null'
    const answer = await shell(gvisor, look)
    expect(answer.stdout).to.equal('0\n0\nshown\n')
  })
})

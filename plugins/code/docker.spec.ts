import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CodeBench } from '../../test/support/code.js'
import { notMeasured } from '../../test/support/needs.js'
import type { CodeInput, CodeOutput } from './contract.js'
import { docker } from './providers/docker.js'

/** A local image with Python and sh: none is pulled. */
const IMAGE = process.env['CAPSTAN_TEST_DOCKER_IMAGE'] ?? ''

describe('programs in Docker itself', function () {
  this.timeout(120_000)
  let folder: string | undefined
  let bench: CodeBench | undefined

  before(async function () {
    const { status } = spawnSync('docker', ['image', 'inspect', IMAGE], { stdio: 'ignore', timeout: 10_000 })
    if (IMAGE === '' || status !== 0)
      notMeasured(this, 'Docker itself is started only where CAPSTAN_TEST_DOCKER_IMAGE names an image with Python that its daemon has')
    folder = mkdtempSync(join(tmpdir(), 'capstan-docker-'))
    bench = await CodeBench.open()
    bench.settings = { python: IMAGE, shell: IMAGE }
  })
  after(async () => {
    await bench?.close()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const run = async (language: CodeInput['language'], code: string): Promise<CodeOutput> => {
    if (bench === undefined) throw new Error('no bench')
    return await bench.run(docker, { language, code })
  }

  it('print, end with their own code, and give files back', async () => {
    const answer = await run('python', "import sys\nprint('out')\nopen('made.txt', 'w').write('made')\nsys.exit(7)")
    expect([answer.stdout, answer.exit_code]).to.deep.equal(['out\n', 7])
    expect(bench?.stored.map(({ name }) => name)).to.deep.equal(['made.txt'])
  })

  it('T-44 have no network, no file of the host, and are nobody', async () => {
    const secret = join(folder ?? '', 'secret.txt')
    writeFileSync(secret, 'a canary')
    const answer = await run('shell', `cat ${secret} 2>/dev/null; ls /sys/class/net; id -u; grep ^CapEff /proc/self/status`)
    expect(answer.stdout).to.equal(`lo\n65534\nCapEff:\t${'0'.repeat(16)}\n`)
  })
})

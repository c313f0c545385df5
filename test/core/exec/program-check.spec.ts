import { expect } from 'chai'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { programCheck } from '../../../core/exec/program-check.js'
import { systemClock } from '../../../core/runtime/clock.js'
import { Fault, vendor as vendorOf, type Vendor } from '../../../core/sdk/index.js'
import { needs, openSandbox, type TestSandbox } from '../../support/exec-sandbox.js'

const vendor = (about: Partial<Vendor>): Vendor => vendorOf({ id: 'local', title: 'Local', ...about })

describe('A7 the self-check of a vendor whose programs run here', function () {
  this.timeout(20_000)
  let folder: string
  let box: TestSandbox
  const found = async (about: Partial<Vendor>, sandbox = box.sandbox): Promise<string | null> =>
    (await programCheck(sandbox, vendor(about), systemClock)?.()) ?? null

  before(async function () {
    needs(this, 'bwrap')
    folder = await mkdtemp('/var/tmp/capstan-program-check-')
    await chmod(folder, 0o755)
    const programs = { refuses: 'exit 2', crashes: 'kill -SEGV $$', lost: 'exec /nowhere/program' }
    for (const [name, line] of Object.entries(programs)) await writeFile(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
    box = await openSandbox({ programs: (name) => (name in programs ? join(folder, name) : undefined) })
  })
  after(async () => {
    await box?.close()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  it('finds nothing where its programs start, whatever they say to the arguments', async () => {
    expect(await found({ programs: { sh: 'dash', refuses: 'x', bwrap: 'bubblewrap' } })).to.equal(null)
  })

  it('names the program that is ended by a signal or cannot be started', async () => {
    expect(await found({ programs: { sh: 'dash', crashes: 'x' } })).to.match(/^crashes does not start: it ends with 139/)
    expect(await found({ programs: { lost: 'x' } })).to.match(/^lost does not start: it ends with 127/)
  })

  it('of one with a probe is its probe, and there is none for one without programs', async () => {
    expect(await found({ programs: { crashes: 'x' }, probe: { program: 'sh', args: ['-c', 'exit 0'] } })).to.equal(null)
    expect(await found({ programs: { sh: 'x' }, probe: { program: 'sh', args: ['-c', 'echo no daemon >&2; exit 1'] } })).to.equal(
      'no daemon',
    )
    expect(programCheck(box.sandbox, vendor({}), systemClock)).to.equal(null)
  })

  it('finds nothing wrong with a program that gets no place, and says so of a sandbox that is not live', async () => {
    const busy = { ...box.sandbox, run: () => Promise.reject(new Fault('busy', 'no place')) }
    expect(await found({ programs: { sh: 'dash' } }, busy)).to.equal(null)
    const dead = { ...box.sandbox, status: () => Promise.resolve({ live: false, detail: 'it has holes', checks: [] }) }
    expect(await found({ programs: { sh: 'dash' } }, dead)).to.equal('it has holes')
  })
})

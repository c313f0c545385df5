import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { SandboxHost } from '../../../core/exec/host.js'
import { watchLaunched } from '../../../core/exec/launcher.js'
import { HandClock } from '../../support/outbound.js'

const SCAN_MS = 200

describe('the watch over launched programs', () => {
  let parent: string
  let over = false

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'capstan-launched-test-'))
  })

  afterEach(async () => {
    over = true
    await rm(parent, { recursive: true, force: true })
  })

  it('goes on after its folder could not be read, and says so once', async () => {
    const clock = new HandClock()
    const logs: string[] = []
    const folder = join(parent, 'running')
    // Names itself, so that it can be read no more than for want of descriptors.
    await symlink(folder, folder)
    const host = { clock, log: (message: string) => void logs.push(message) } as unknown as SandboxHost
    const stop = watchLaunched(host, folder, 0)
    const scans = async (until: () => boolean): Promise<void> => {
      while (!until() && !over) {
        clock.advance(SCAN_MS)
        await turn()
      }
    }
    const program = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    const ended = once(program, 'exit')
    try {
      const replacement = join(parent, 'replacement')
      await mkdir(replacement)
      await writeFile(join(replacement, String(program.pid)), '')
      await scans(() => logs.length > 0)
      for (let scan = 0; scan < 5; scan++) await scans(() => true)
      // In one step, since a watch ends when it finds no folder.
      await symlink(replacement, join(parent, 'next'))
      await rename(join(parent, 'next'), folder)
      await scans(() => program.signalCode !== null)
    } finally {
      stop()
      program.kill()
      await ended
    }
    expect(program.signalCode).to.equal('SIGKILL')
    expect(logs.map((line) => line.split(':')[0])).to.deep.equal(['launched programs could not be listed', 'a launched program was killed'])
  })
})

import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { runProbes } from '../../../core/diagnosis/vendor-probes.js'
import { createSandbox } from '../../../core/exec/sandbox.js'
import { vendor, type Vendor } from '../../../core/sdk/index.js'

const probed = (id: string, ...args: string[]): Vendor =>
  vendor({ id, title: id, programs: { sh: 'dash' }, probe: { program: 'sh', args: ['-c', ...args] } })

describe('probes of vendors', () => {
  const sandbox = createSandbox({
    clock: systemClock,
    log: () => undefined,
    programs: () => undefined,
    slots: 1,
    proxySocket: () => Promise.reject(new Error('no network')),
    protectedPaths: [],
  })
  after(() => sandbox.close())

  it('say nothing of a program that works and of a vendor without one, and the last words of one that does not', async () => {
    const found = await runProbes(sandbox, [
      probed('works', 'echo 1.0'),
      vendor({ id: 'plain', title: 'plain' }),
      probed('fails', 'echo first >&2; echo "Cannot connect to the daemon" >&2; exit 1'),
      probed('silent', 'exit 3'),
    ])
    expect([...found]).to.deep.equal([
      ['fails', 'Cannot connect to the daemon'],
      ['silent', 'sh -c exit 3 ends with 3'],
    ])
  })

  it('name a program that is not installed', async () => {
    const gone = vendor({
      id: 'gone',
      title: 'gone',
      programs: { 'no-such-program': 'none' },
      probe: { program: 'no-such-program', args: [] },
    })
    expect([...(await runProbes(sandbox, [gone]))]).to.deep.equal([['gone', 'the program no-such-program is not installed']])
  })
})

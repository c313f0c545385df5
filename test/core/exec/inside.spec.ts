import { expect } from 'chai'
import { needs, openSandbox } from '../../support/exec-sandbox.js'

describe('core/exec: what a program finds', function () {
  this.timeout(30_000)

  it('no capabilities, and no room for a file larger than its disk', async function () {
    needs(this, 'bwrap', 'bash')
    const box = await openSandbox()
    try {
      const { out } = await box.run('bash', ['-c', 'grep ^Cap /proc/self/status; ulimit -f'], { diskMb: 7 })
      const lines = out
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/))
      const names = ['CapInh:', 'CapPrm:', 'CapEff:', 'CapBnd:', 'CapAmb:']
      expect(lines).to.deep.equal([...names.map((name) => [name, '0'.repeat(16)]), [String(7 * 1024)]])
    } finally {
      await box.close()
    }
  })
})

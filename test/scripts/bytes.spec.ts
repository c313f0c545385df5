import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'
import { atMost } from '../support/time.js'

describe('a gateway in 1 GiB', function () {
  this.timeout(120_000)

  it('A1 A2 B1 outlives all attacks on its memory at once, beside an account that pays', async function () {
    const script = join(packageRoot(), 'dist', 'scripts', 'bytes.js')
    const line = await new Promise<string>((resolve) =>
      execFile(process.execPath, [script, '--seconds', '5'], (error, stdout, stderr) => resolve(`${error?.code ?? 0} ${stdout}${stderr}`)),
    )
    expect(line).to.contain('the gateway is alive')
    const [, peak = '', failed = ''] = /peak (\d+) MiB[^]*paid calls, (\d+) failed/.exec(line) ?? []
    expect(Number(peak), line).to.be.within(1, 1024)
    await atMost(this, { what: `paid calls that failed: ${line}`, value: Number(failed || NaN), limit: 0 })
  })
})

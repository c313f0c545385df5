import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'

describe('a gateway in 1 GiB', function () {
  this.timeout(120_000)

  it('A1 A2 B1 outlives all attacks on its memory at once, beside an account that pays', async () => {
    const script = join(packageRoot(), 'dist', 'scripts', 'bytes.js')
    const line = await new Promise<string>((resolve) =>
      execFile(process.execPath, [script, '--seconds', '5'], (error, stdout, stderr) => resolve(`${error?.code ?? 0} ${stdout}${stderr}`)),
    )
    expect(line).to.match(/^0 [^]*the gateway is alive[^]* 0 failed/)
  })
})

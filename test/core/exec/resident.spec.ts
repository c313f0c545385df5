import { expect } from 'chai'
import { resourceHosts } from '../../../core/dispatch/resources.js'
import type { ResidentProgram } from '../../../core/sdk/index.js'
import { needs, openSandbox, type TestSandbox } from '../../support/exec-sandbox.js'

const ECHO = `import os, sys
for line in sys.stdin:
    if line == 'hang\\n':
        while True: pass
    if line == 'grow\\n':
        kept = [bytearray(b'x' * (1 << 20)) for _ in range(4096)]
    print(line.strip(), os.environ.get('WORD'), sorted(os.listdir('/sys')) if os.path.exists('/sys') else None, flush=True)
    print('noted', file=sys.stderr, flush=True)
`

describe('core/exec programs that stay', function () {
  this.timeout(30_000)
  let box: TestSandbox

  before(async function () {
    needs(this, 'bwrap', '/usr/bin/python3')
    box = await openSandbox()
  })
  after(async () => await box?.close())

  const start = (memoryMb = 128): Promise<ResidentProgram> =>
    box.sandbox.start('python3', ['-Ic', ECHO], { env: { WORD: 'given' }, memoryMb })
  async function request(program: ResidentProgram, line: string, timeoutMs = 20_000): Promise<string | null> {
    return await program.during(timeoutMs, async () => {
      await program.write(Buffer.from(`${line}\n`))
      const next = await program.output[Symbol.asyncIterator]().next()
      return next.done === true ? null : Buffer.from(next.value).toString('utf8')
    })
  }

  it('one is called repeatedly over its standard streams, with its environment and a part of what it writes to standard error', async () => {
    const program = await start()
    expect([await request(program, 'one'), await request(program, 'two')]).to.deep.equal(['one given None\n', 'two given None\n'])
    program.kill()
    await program.ended
    expect(program.errors()).to.match(/^noted/)
    expect(program.stopped()).to.equal(null)
  })

  it('one that takes longer, or more memory, than it may while it works is killed, and says so', async () => {
    for (const [line, limit, why] of [
      ['hang', 500, 'time'],
      ['grow', 20_000, 'memory'],
    ] as const) {
      const program = await start()
      await request(program, 'one')
      // The output of a program that was killed ends, or breaks off.
      expect(await request(program, line, limit).catch(() => null)).to.equal(null)
      await program.ended
      expect(program.stopped()).to.equal(why)
      expect(await program.write(Buffer.from('x\n'))).to.equal(undefined)
    }
  })

  it('one is killed when the resource that started it is closed', async () => {
    const { host, cleanUp } = resourceHosts({ sandbox: box.sandbox, log: () => undefined })('demo', {})
    const program = await host.start('python3', ['-Ic', ECHO])
    expect(await request(program, 'one')).to.match(/^one None/)
    await cleanUp()
    await program.ended
    expect(await request(program, 'two').catch(() => null)).to.equal(null)
  })
})

import { expect } from 'chai'
import { Fault, type ExecResult } from '../../core/sdk/index.js'
import { CodeBench, codeInput } from '../../test/support/code.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { errorOf } from '../../test/support/unit.js'
import { bubblewrap } from './providers/bubblewrap.js'
import { checkTemplate } from './templates.js'

/** A machine on which these are missing, according to the check, and the number of checks. */
class Machine {
  looks = 0
  readonly #set = new Set<string>()
  lacks: string

  constructor(lacks: string) {
    this.lacks = lacks
  }

  async check(
    template: 'data-science' | 'web-dev' | 'video',
    language: 'python' | 'javascript' = 'python',
    stopped = false,
  ): Promise<void> {
    const result = { code: 0, stdout: Buffer.from(this.lacks), stopped: stopped ? 'time' : null } as unknown as ExecResult
    const exec = (): Promise<ExecResult> => {
      this.looks += 1
      return Promise.resolve(result)
    }
    const use = () => Promise.resolve(this.#set)
    await checkTemplate(codeInput({ code: '1', template, language }), { exec, use: use as never })
  }
}

describe('code.execute: templates', () => {
  it('one that lacks something is unavailable: what is missing, and the one command that brings it', async () => {
    const fault = await errorOf(new Machine('numpy\nmatplotlib\n').check('data-science'))
    if (!Fault.is(fault)) throw new Error(String(fault))
    expect(fault.message).to.equal(
      "The template data-science is not available here, it lacks numpy, matplotlib: on the gateway's machine, apt-get install python3-numpy python3-matplotlib",
    )
    expect([fault.kind, fault.unavailable, fault.loc]).to.eql(['missing', true, ['template']])
  })

  it('one that has everything is looked at once, another again, as is one that lacks something', async () => {
    const machine = new Machine('')
    for (let count = 0; count < 3; count++) await machine.check('data-science')
    expect(machine.looks).to.equal(1)
    await machine.check('web-dev')
    await machine.check('web-dev', 'javascript')
    expect(machine.looks).to.equal(3)
    machine.lacks = 'ffmpeg\n'
    for (let count = 0; count < 2; count++) await errorOf(machine.check('video'))
    machine.lacks = ''
    await machine.check('video')
    expect(machine.looks).to.equal(6)
  })

  it('a look that was not finished says nothing of the template', async () => {
    expect(await errorOf(new Machine('').check('video', 'python', true))).to.have.property('kind', 'busy')
  })

  it('the look finds on this machine what programs then find', async function () {
    needs(this, 'bwrap', 'node')
    this.timeout(60_000)
    const bench = await CodeBench.open()
    try {
      const science: unknown = await bench
        .run(bubblewrap, { code: 'import numpy, pandas, matplotlib\nprint(1)', template: 'data-science' })
        .catch((error: unknown) => error)
      if (Fault.is(science))
        expect(science.message).to.match(/^The template data-science is not available here, it lacks .*apt-get install python3-/)
      else expect(science).to.include({ stdout: '1\n', template_used: 'data-science' })
      const web = { code: 'console.log(1)', language: 'javascript', template: 'web-dev' } as const
      expect(await bench.run(bubblewrap, web)).to.include({ stdout: '1\n', template_used: 'web-dev' })
    } finally {
      await bench.close()
    }
  })
})

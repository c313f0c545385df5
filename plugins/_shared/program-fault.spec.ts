import { expect } from 'chai'
import { programFault, type ProgramWork } from './program-fault.js'
import type { ExecResult } from '../../core/sdk/index.js'

const RUN: ExecResult = {
  code: 1,
  stdout: Buffer.alloc(0),
  stderr: Buffer.from('/tmp/job-1/a: no'),
  stdoutCut: false,
  stderrCut: false,
  stopped: null,
  bootMs: 1,
  runMs: 1,
  files: [],
  scratchFiles: [],
  stdoutFile: null,
  filesLeft: 0,
}
const WORK: ProgramWork = { done: 'drawn', refused: 'The file is no drawing.', timeLeft: 1000, loc: ['file_url'] }
const fault = (run: Partial<ExecResult>, work: Partial<ProgramWork> = {}) => programFault({ ...RUN, ...run }, { ...WORK, ...work })
const kinds = (work: Partial<ProgramWork>) =>
  (
    [
      {},
      { code: 124, stopped: 'time' },
      { code: 137, stopped: 'memory' },
      { code: 139 },
      { code: 143, stopped: 'aborted' },
      { stopped: 'output' },
    ] as const
  ).map((run) => [fault(run, work).kind, fault(run, work).costly])

describe('a program without a result', () => {
  it('leaves the file to another one at a limit or after a crash, and refuses it otherwise', () => {
    expect(kinds({})).to.deep.equal([
      ['invalid', false],
      ['missing', true],
      ['missing', true],
      ['broken', true],
      ['busy', false],
      ['invalid', false],
    ])
  })

  it('that nothing else could do blames the file, and counts against the account what it took', () => {
    expect(kinds({ alone: true })).to.deep.equal([
      ['invalid', false],
      ['invalid', true],
      ['invalid', true],
      ['invalid', true],
      ['busy', false],
      ['invalid', false],
    ])
  })

  it('A8 that ran into its time is final, since the next program would have a time of its own; one out of memory is not', () => {
    expect(fault({ code: 124, stopped: 'time' }).final).to.equal(true)
    for (const run of [{ code: 137, stopped: 'memory' }, { code: 139 }, {}] as const) expect(fault(run).final).to.equal(false)
  })

  it('ended by the end of the call says nothing of the file', () => {
    expect(fault({ code: 124, stopped: 'time' }, { timeLeft: 0 })).to.include({ kind: 'busy', loc: undefined, costly: false })
  })

  it('has a message for the caller, and the output only for the operator', () => {
    const { message, internal, loc } = fault({ code: 124, stopped: 'time' }, { subject: 'A page' })
    expect(message).to.equal('A page takes more time to be drawn than a file may.')
    expect(internal).to.equal('code 124: /tmp/job-1/a: no')
    expect(loc).to.deep.equal(['file_url'])
    expect(fault({}).message).to.equal('The file is no drawing.')
  })
})

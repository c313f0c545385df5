import { expect } from 'chai'
import { answerOf, Fault, type ScratchFile } from '../../core/sdk/index.js'
import { errorOf } from '../../test/support/unit.js'
import { convert } from './handler.js'
import { resultOf } from './result.js'

const FILE: ScratchFile = { id: 'a'.repeat(32), size: 3 }
const INPUT = { file_url: 'https://example.com/a.md', source_format: 'md', target_format: 'docx' }

/** A call of the handler whose steps fail like this, and the requested steps. */
async function asked(fail: (step: number) => Fault): Promise<{ readonly steps: string[]; readonly error: Error }> {
  const steps: string[] = []
  const reading = async function* (): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from('# a'))
  }
  const context = {
    providers: () => [{ id: 'pandoc' }, { id: 'libreoffice' }],
    scratch: { fetch: () => Promise.resolve(FILE), read: reading },
    call: (_port: unknown, { from, to }: { from: string; to: string }) => {
      steps.push(`${from} ${to}`)
      return Promise.reject(fail(steps.length))
    },
  }
  const error = await errorOf(convert.run(answerOf<never>(INPUT), answerOf<never>(context)))
  return { steps, error }
}

describe('ways of a conversion', () => {
  it('are tried one after the other as long as engines fail', async () => {
    const { steps, error } = await asked((step) => new Fault('broken', `failure ${String(step)}`))
    expect(steps.length).to.be.greaterThan(1)
    expect(error.message).to.equal('failure 1')
  })

  for (const kind of ['credentials', 'quota', 'busy'] as const)
    it(`V4 end with a vendor that failed for ${kind}, which is not asked once more`, async () => {
      const { steps, error } = await asked(() => new Fault(kind, 'refused'))
      expect(steps).to.eql(['md docx'])
      expect(error).to.include({ kind, message: 'refused' })
    })

  it('A8 end with the first program that ran into its time', async () => {
    const { steps, error } = await asked(() => new Fault('missing', 'too slow', { final: true, costly: true }))
    expect(steps).to.eql(['md docx'])
    expect(error).to.include({ message: 'too slow', costly: true })
  })

  it('A7 a result with control characters, of another kind or none is the doing of its source: missing, whatever engine made it', async () => {
    for (const [text, to] of [
      ['a\u0001b', 'md'],
      ['no pdf', 'pdf'],
      ['', 'txt'],
      ['<p>\u0000', 'html'],
    ] as const) {
      const read = async function* (): AsyncGenerator<Uint8Array> {
        yield await Promise.resolve(Buffer.from(text))
      }
      const error = await errorOf(resultOf(answerOf({ scratch: { read } }), { source: { file: FILE, from: 'png' }, files: [FILE], to }))
      expect(Fault.is(error) && error.kind, to).to.equal('missing')
    }
    expect(await errorOf(resultOf(answerOf({ scratch: {} }), { source: { file: FILE, from: 'png' }, files: [], to: 'md' }))).to.include({
      kind: 'missing',
    })
  })
})

import { expect } from 'chai'
import { Fault, SchemaCompiler, Type, type HandlerContext } from '../../core/sdk/index.js'
import { errorOf } from '../../test/support/unit.js'
import { chat, type ModelFileType } from '../llm/contract.js'
import { documentPages } from '../reading/contract.js'
import { modelJson, modelTakes, type ModelQuestion } from './model-json.js'

const SHAPE = Type.Object({ city: Type.String(), people: Type.Integer() })
const shape = new SchemaCompiler().compile(SHAPE)
const ULM = { text: '', object: { city: 'Ulm', people: 3 } }

interface Behaviour {
  /** The file types each model accepts, by vendor. */
  readonly takes?: Readonly<Record<string, readonly ModelFileType[]>>
  /** The answer of `document.pages`; without it no provider exists. */
  readonly pages?: { pages: { file: { id: string; size: number }; content_type: string }[]; total: number }
}

/** A model that returns scripted answers and records its questions. */
function modelWith({ takes = {}, pages }: Behaviour, ...answers: { text: string; object: unknown; truncated?: boolean }[]) {
  const asked: Record<string, unknown>[] = []
  const options: unknown[] = []
  const notes: string[] = []
  const context = {
    has: (port: unknown) => port === chat || (port === documentPages && pages !== undefined),
    note: (remark: string) => void notes.push(remark),
    providers: () =>
      Object.entries(takes).map(([id, types]) => ({
        id,
        serves: ({ files }: { files: { content_type: ModelFileType }[] }) =>
          files.every(({ content_type }) => types.includes(content_type)),
      })),
    call: (port: unknown, input: Record<string, unknown>, how: unknown) => {
      if (port === documentPages) return Promise.resolve(pages)
      asked.push(input)
      options.push(how)
      const answer = answers.shift()
      return answer === undefined ? Promise.reject(new Fault('busy', 'no more')) : Promise.resolve({ truncated: false, ...answer })
    },
  } as unknown as HandlerContext
  return { asked, notes, options, context, json: (question: ModelQuestion) => modelJson(context, question, shape) }
}

const model = (...answers: { text: string; object: unknown }[]) => modelWith({}, ...answers)
const file = (content_type: ModelFileType, size = 10) => ({ file: { id: 'f'.repeat(32), size }, content_type })
const page = (size = 10) => ({ file: { id: 'a'.repeat(32), size }, content_type: 'image/png' })

describe('modelJson', () => {
  it('answers JSON of the wanted shape at the first try, with everything of the question passed on', async () => {
    const { asked, json } = model(ULM)
    expect(await json({ prompt: 'q', system: 'be short', max_tokens: 5, document: 'd', keep: 'ends' })).to.deep.equal(ULM.object)
    expect(asked).to.deep.equal([
      { prompt: 'q', system: 'be short', max_tokens: 5, document: 'd', keep: 'ends', files: [], schema: { ...SHAPE } },
    ])
  })

  it('sends a violation back once with what was wrong', async () => {
    const { asked, json } = model({ text: '{"city":"Ulm","people":"many"}', object: { city: 'Ulm', people: 'many' } }, ULM)
    expect(await json({ prompt: 'the question', system: 's' })).to.deep.equal(ULM.object)
    expect(asked).to.have.length(2)
    expect(asked[1]?.['prompt']).to.match(/^the question[\s\S]*"people":"many"[\s\S]*\/people must be integer/)
    expect(asked[1]).to.deep.include({ system: 's', schema: { ...SHAPE } })
  })

  it('T-27 ends broken after the second violation, and never asks a third time', async () => {
    const bad = { text: 'x'.repeat(100_000), object: { city: 1 } }
    const { asked, json } = model(bad, bad, ULM)
    const error = await errorOf(json({ prompt: 'q' }))
    expect(Fault.is(error) && error.kind).to.equal('broken')
    expect(asked).to.have.length(2)
    expect(String(asked[1]?.['prompt']).length).to.be.lessThan(9_000)
  })

  it('lets a Fault of the model through', async () => {
    const error = await errorOf(model().json({ prompt: 'q' }))
    expect(Fault.is(error) && error.kind).to.equal('busy')
  })

  it('notes for the caller that a document was cut', async () => {
    const { json, notes } = modelWith({}, { ...ULM, truncated: true }, ULM)
    await json({ prompt: 'q', document: 'd' })
    expect(notes.join()).to.contain('longer than the context')
    await json({ prompt: 'q' })
    expect(notes).to.have.length(1)
  })

  it('asks the model of one vendor alone', async () => {
    const { json, options } = model(ULM, ULM)
    await json({ prompt: 'q', only: 'acme' })
    await json({ prompt: 'q' })
    expect(options).to.deep.equal([{ only: 'acme' }, {}])
  })

  it('knows which vendor takes what', () => {
    const { context } = modelWith({ takes: { one: ['image/png'], two: [] } })
    expect([
      modelTakes(context, 'image/png'),
      modelTakes(context, 'application/pdf'),
      modelTakes(context, 'image/png', 'one'),
      modelTakes(context, 'image/png', 'two'),
    ]).to.deep.equal([true, false, true, false])
  })

  describe('and a PDF', () => {
    const ask = async (behaviour: Behaviour, ...files: ReturnType<typeof file>[]) => {
      const made = modelWith(behaviour, ULM)
      await made.json({ prompt: 'q', files })
      const [{ files: sent = [] } = {}] = made.asked as { files?: { content_type: string }[] }[]
      return { sent: sent.map(({ content_type }) => content_type), notes: made.notes }
    }
    const pages = { pages: [page(), page()], total: 2 }

    it('goes as it is to a model that takes it', async () => {
      const { sent } = await ask({ takes: { one: ['image/png', 'application/pdf'] }, pages }, file('application/pdf'))
      expect(sent).to.deep.equal(['application/pdf'])
    })

    it('goes as pictures to one that takes pictures alone, in its place', async () => {
      const { sent, notes } = await ask(
        { takes: { one: ['image/png'] }, pages },
        file('image/gif'),
        file('application/pdf'),
        file('image/webp'),
      )
      expect(sent).to.deep.equal(['image/gif', 'image/png', 'image/png', 'image/webp'])
      expect(notes).to.deep.equal([])
    })

    it('goes as it is, to be passed over, where nothing makes pictures or nobody sees', async () => {
      expect((await ask({ takes: { one: ['image/png'] } }, file('application/pdf'))).sent).to.deep.equal(['application/pdf'])
      expect((await ask({ takes: { one: [] }, pages }, file('application/pdf'))).sent).to.deep.equal(['application/pdf'])
    })

    it('that has more pages than a model is shown is shown in part, which is said', async () => {
      const many = { pages: Array.from({ length: 20 }, () => page()), total: 50 }
      const { sent, notes } = await ask({ takes: { one: ['image/png'] }, pages: many }, file('image/gif'), file('application/pdf'))
      expect(sent).to.have.length(20)
      expect(notes).to.deep.equal(['The model saw the first 19 pages of the document.'])
      const large = { pages: Array.from({ length: 6 }, () => page(3_000_000)), total: 6 }
      expect((await ask({ takes: { one: ['image/png'] }, pages: large }, file('application/pdf'))).sent).to.have.length(4)
    })

    it('without a page that can be shown is nothing', async () => {
      const error = await errorOf(ask({ takes: { one: ['image/png'] }, pages: { pages: [], total: 0 } }, file('application/pdf')))
      expect(Fault.is(error) && error.kind).to.equal('missing')
    })
  })

  const tooMuch: readonly [string, ReturnType<typeof file>[], RegExp][] = [
    ['more files than a model is shown', Array.from({ length: 21 }, () => file('image/png')), /at most 20/],
    ['a picture that is too large', [file('image/png', 3_750_001)], /3750000 bytes/],
    ['a PDF that is too large', [file('application/pdf', 14_000_001)], /14000000 bytes/],
    ['files that are too large together', Array.from({ length: 5 }, () => file('image/jpeg', 3_000_000)), /14000000 bytes.*together/],
  ]
  for (const [name, files, says] of tooMuch)
    it(`refuses ${name} before anything is asked`, async () => {
      const { asked, json } = modelWith({ takes: { one: ['image/png', 'image/jpeg', 'application/pdf'] } }, ULM)
      const error = await errorOf(json({ prompt: 'q', files }))
      expect(Fault.is(error) && error.kind).to.equal('invalid')
      expect(error.message).to.match(says)
      expect(asked).to.deep.equal([])
    })
})

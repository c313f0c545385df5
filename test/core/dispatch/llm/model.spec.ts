import { expect } from 'chai'
import { Shapes } from '../../../../core/dispatch/llm/shapes.js'
import { ModelService } from '../../../../core/dispatch/llm/model.js'
import { chat, documentPages, Fault, Type, type CallerSchema, type HandlerContext, type ModelFileType } from '../../../../core/sdk/index.js'
import { errorOf } from '../../../support/unit.js'

const SHAPE = Type.Object({ city: Type.String(), people: Type.Integer() })

interface Behaviour {
  /** What the models take, by vendor. */
  readonly takes?: Readonly<Record<string, readonly ModelFileType[]>>
  /** What `document.pages` answers; without it there is none. */
  readonly pages?: { pages: { file: { id: string; size: number }; content_type: string }[]; total: number }
}

/** A model that gives the scripted answers and remembers what it was asked. */
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
  return { asked, notes, options, service: new ModelService(context, new Shapes()) }
}

const model = (...answers: { text: string; object: unknown }[]) => modelWith({}, ...answers)
const file = (content_type: ModelFileType, size = 10) => ({ file: { id: 'f'.repeat(32), size }, content_type })
const page = (size = 10) => ({ file: { id: 'a'.repeat(32), size }, content_type: 'image/png' })

describe('the language model', () => {
  it('answers text, with system and bound passed on only where given', async () => {
    const { asked, service } = model({ text: 'one', object: null }, { text: 'two', object: null })
    expect(service.live).to.equal(true)
    expect(await service.text({ prompt: 'hi', system: 'be short', maxTokens: 5 })).to.equal('one')
    expect(await service.text({ prompt: 'hi' })).to.equal('two')
    expect(asked).to.deep.equal([
      { prompt: 'hi', system: 'be short', max_tokens: 5, schema: null },
      { prompt: 'hi', schema: null },
    ])
  })

  it('answers JSON of the wanted shape at the first try', async () => {
    const { asked, service } = model({ text: '', object: { city: 'Ulm', people: 3 } })
    expect(await service.json({ prompt: 'q' }, SHAPE)).to.deep.equal({ city: 'Ulm', people: 3 })
    expect(asked).to.have.length(1)
    expect(asked[0]?.['schema']).to.equal(SHAPE)
  })

  it('sends a violation back once with what was wrong', async () => {
    const { asked, service } = model(
      { text: '{"city":"Ulm","people":"many"}', object: { city: 'Ulm', people: 'many' } },
      { text: '', object: { city: 'Ulm', people: 3 } },
    )
    expect(await service.json({ prompt: 'the question', system: 's' }, SHAPE)).to.deep.equal({ city: 'Ulm', people: 3 })
    expect(asked).to.have.length(2)
    expect(asked[1]?.['prompt']).to.match(/^the question[\s\S]*"people":"many"[\s\S]*\/people must be integer/)
    expect(asked[1]).to.deep.include({ system: 's', schema: SHAPE })
  })

  it('T-27 ends broken after the second violation, and never asks a third time', async () => {
    const bad = { text: 'x'.repeat(100_000), object: { city: 1 } }
    const { asked, service } = model(bad, bad, { text: '', object: { city: 'Ulm', people: 3 } })
    const error = await errorOf(service.json({ prompt: 'q' }, SHAPE))
    expect(Fault.is(error) && error.kind).to.equal('broken')
    expect(asked).to.have.length(2)
    expect(String(asked[1]?.['prompt']).length).to.be.lessThan(9_000)
  })

  it('lets a Fault of the model through', async () => {
    const error = await errorOf(model().service.text({ prompt: 'q' }))
    expect(Fault.is(error) && error.kind).to.equal('busy')
  })

  it('says whether a document was cut, to the code and to the caller', async () => {
    const { service, notes, asked } = modelWith({}, { text: 'short', object: null, truncated: true }, { text: 'whole', object: null })
    expect(await service.ask({ prompt: 'q', document: 'd', keep: 'ends' })).to.deep.equal({ data: 'short', truncated: true })
    expect(notes).to.have.length(1)
    expect(asked[0]).to.deep.include({ document: 'd', keep: 'ends' })
    expect(await service.ask({ prompt: 'q' })).to.deep.equal({ data: 'whole', truncated: false })
    expect(notes).to.have.length(1)
  })

  it('asks the model of one vendor alone', async () => {
    const { service, options } = model({ text: 'x', object: null }, { text: 'y', object: null })
    await service.text({ prompt: 'q', only: 'acme' })
    await service.text({ prompt: 'q' })
    expect(options).to.deep.equal([{ only: 'acme' }, {}])
  })

  it('knows which vendor takes what', () => {
    const { service } = modelWith({ takes: { one: ['image/png'], two: [] } })
    expect([
      service.sees,
      service.takes('application/pdf'),
      service.takes('image/png', 'one'),
      service.takes('image/png', 'two'),
    ]).to.deep.equal([true, false, true, false])
    expect(modelWith({ takes: { two: [] } }).service.sees).to.equal(false)
  })

  describe('and a PDF', () => {
    const ask = async (behaviour: Behaviour, ...files: ReturnType<typeof file>[]) => {
      const made = modelWith(behaviour, { text: 'x', object: null })
      await made.service.text({ prompt: 'q', files })
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
      const { asked, service } = modelWith({ takes: { one: ['image/png', 'image/jpeg', 'application/pdf'] } }, { text: 'x', object: null })
      const error = await errorOf(service.text({ prompt: 'q', files }))
      expect(Fault.is(error) && error.kind).to.equal('invalid')
      expect(error.message).to.match(says)
      expect(asked).to.deep.equal([])
    })

  describe('by a schema of a caller', () => {
    const schema = (...found: string[][]): CallerSchema => ({
      schema: { type: 'object' },
      loc: ['schema'],
      violations: () => Promise.resolve((found.shift() ?? []).map((message) => ({ at: '/a', message }))),
    })

    it('is asked with that schema and answers what fits', async () => {
      const { asked, service } = model({ text: '', object: { a: 1 } })
      expect(await service.jsonFor({ prompt: 'q' }, schema())).to.deep.equal({ data: { a: 1 }, truncated: false })
      expect(asked[0]?.['schema']).to.deep.equal({ type: 'object' })
    })

    it('sends what does not fit back once', async () => {
      const { asked, service } = model({ text: 'first', object: 1 }, { text: '', object: 2 })
      expect((await service.jsonFor({ prompt: 'q' }, schema(['must be b', 'must be c']))).data).to.equal(2)
      expect(asked[1]?.['prompt']).to.match(/^q\n\nYour last answer was:\nfirst[\s\S]*\/a must be b; \/a must be c/)
    })

    it('is broken when the second does not fit either', async () => {
      const { service } = model({ text: '', object: 1 }, { text: '', object: 2 })
      const error = await errorOf(service.jsonFor({ prompt: 'q' }, schema(['x'], ['y'])))
      expect(Fault.is(error) && error.kind).to.equal('broken')
    })
  })
})

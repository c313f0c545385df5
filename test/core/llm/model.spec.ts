import { expect } from 'chai'
import { Shapes } from '../../../core/dispatch/shapes.js'
import { ModelService } from '../../../core/llm/model.js'
import { chat, Fault, Type, type HandlerContext } from '../../../core/sdk/index.js'
import { errorOf } from '../../support/unit.js'

const SHAPE = Type.Object({ city: Type.String(), people: Type.Integer() })

/** A model that gives the scripted answers and remembers what it was asked. */
function model(...answers: { text: string; object: unknown }[]) {
  const asked: Record<string, unknown>[] = []
  const context = {
    has: (port: unknown) => port === chat,
    call: (_port: unknown, input: Record<string, unknown>) => {
      asked.push(input)
      const answer = answers.shift()
      return answer === undefined ? Promise.reject(new Fault('busy', 'no more')) : Promise.resolve(answer)
    },
  } as unknown as HandlerContext
  return { asked, service: new ModelService(context, new Shapes()) }
}

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
})

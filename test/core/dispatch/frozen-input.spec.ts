import { expect } from 'chai'
import { deepFreeze } from '../../../core/dispatch/perform.js'
import type { HandlerContext } from '../../../core/sdk/index.js'
import { startGateway } from '../../support/gateway.js'
import { echo, handle, part, type Behaviour } from '../../support/test-plugin.js'
import { bench, outcomes } from '../../support/unit.js'

/** Writes into the input it was given, then fails. */
const writing: Behaviour = (input) => {
  input.text = 'changed by the first'
  input.mode = 'loud'
  return Promise.resolve(null)
}
const repeating: Behaviour = ({ text, mode }) => Promise.resolve({ text: `${text} ${mode}` })

describe('the checked input', () => {
  it('is frozen for providers: one that writes to it fails alone, and the next gets what the caller sent', async () => {
    const kit = bench({
      'test.echo': [
        { vendor: 'one', run: writing },
        { vendor: 'two', run: repeating },
      ],
    })
    const call = kit.call()
    expect((await kit.ask(call)).data).to.deep.equal({ text: 'hello plain' })
    expect(outcomes(call.attempts)).to.deep.equal(['one broken', 'two ok'])
    expect(JSON.stringify(kit.logs)).to.contain('TypeError: Cannot assign to read only property')
  })

  it('is frozen for a handler, for its nested questions and for the record of the call', async () => {
    const run = async (input: { text: string; mode: string }, context: HandlerContext) => {
      expect(() => (input.mode = 'loud')).to.throw(TypeError)
      const answers = await context.gather(part, { text: input.text })
      return { text: answers.map(({ provider, data }) => `${provider}=${data.text}`).join() }
    }
    const gateway = await startGateway({
      script: {
        handler: handle(echo, run),
        'test.part': [
          { vendor: 'one', run: writing },
          { vendor: 'two', run: ({ text }) => Promise.resolve({ text }) },
        ],
      },
    })
    try {
      const reply = (await gateway.post('/v1/test/echo', { text: 'hello', mode: 'plain' })).json()
      expect(reply.data).to.deep.equal({ text: 'two=hello' })
      expect(reply.metadata.mode_used).to.equal('plain')
    } finally {
      await gateway.close()
    }
  })

  it('keeps mode_used when the first provider of a plain capability writes another mode', async () => {
    const script = {
      'test.echo': [
        { vendor: 'one', run: writing },
        { vendor: 'two', run: repeating },
      ],
    }
    const gateway = await startGateway({ script })
    try {
      const reply = (await gateway.post('/v1/test/echo', { text: 'hello', mode: 'plain' })).json()
      expect(reply.data).to.deep.equal({ text: 'hello plain' })
      expect(reply.metadata.mode_used).to.equal('plain')
    } finally {
      await gateway.close()
    }
  })

  it('is frozen to any depth, in arrays and objects that hold one another; bytes stay as they are', () => {
    let deep: unknown[] = []
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    const bytes = new Uint8Array(3)
    const value = { deep, bytes, list: [{ name: 'x' }], self: null as unknown }
    value.self = value
    deepFreeze(value)
    expect([value, value.list, value.list[0], value.deep[0]].every((each) => Object.isFrozen(each))).to.equal(true)
    expect(Object.isFrozen(bytes)).to.equal(false)
  })
})

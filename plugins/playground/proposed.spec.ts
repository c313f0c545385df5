import { expect } from 'chai'
import { Fault } from '../../core/sdk/index.js'
import { KnownCatalogues } from './known-catalogues.js'
import { proposed } from './proposed.js'

const CAPABILITIES = JSON.stringify([
  {
    ...{ id: 'demo.read', title: 'Read a page', description: '', aliases: [], examples: [], formatOf: {} },
    phrases: [{ say: 'read|open {url}' }],
    input: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
  },
])

/** A context with a model that answers as given; `wait` then ends at once or never. */
function contextOf(answer: () => Promise<unknown>, { isLate }: { isLate: boolean }) {
  const logged: string[] = []
  const context = {
    use: () => Promise.resolve(new KnownCatalogues()),
    has: () => true,
    call: answer,
    wait: () => (isLate ? Promise.resolve() : new Promise<void>(() => undefined)),
    log: (message: string) => void logged.push(message),
    signal: new AbortController().signal,
  }
  return { context: context as unknown as Parameters<typeof proposed>[1], logged }
}

const question = { message: 'read https://example.com/', history: [], version: '1', capabilities: CAPABILITIES }
const matched = { capability: 'demo.read', params: { url: 'https://example.com/' }, alternatives: [] }

describe('the playground with a model', () => {
  it('goes on without one that never ends, and says so in the log', async () => {
    const { context, logged } = contextOf(() => new Promise(() => undefined), { isLate: true })
    expect(await proposed(question, context)).to.deep.equal(matched)
    expect(logged).to.deep.equal(['the model took too long'])
  })

  it('goes on without one that fails, but not with an error of its own', async () => {
    const failing = contextOf(() => Promise.reject(new Fault('quota', 'It is used up.')), { isLate: false })
    expect(await proposed(question, failing.context)).to.deep.equal(matched)
    expect(failing.logged).to.deep.equal(['no model could be called'])
    const broken = contextOf(() => Promise.reject(new TypeError('a fault of ours')), { isLate: false })
    const error = await proposed(question, broken.context).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(TypeError)
  })

  it('reads nothing into a choice that is none', async () => {
    for (const object of [null, 7, 'read', [], {}, { capability: 'demo.read' }, { capability: 'demo.other', params: {} }]) {
      const { context } = contextOf(() => Promise.resolve({ text: '', object, truncated: false }), { isLate: false })
      expect(await proposed(question, context), JSON.stringify(object)).to.deep.equal(matched)
    }
    const none = contextOf(() => Promise.resolve({ text: '', object: { capability: null, params: {} }, truncated: false }), {
      isLate: false,
    })
    expect(await proposed(question, none.context)).to.deep.equal({ capability: null, params: {}, alternatives: ['demo.read'] })
  })
})

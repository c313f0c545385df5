import { expect } from 'chai'
import { Stopped } from '../../../core/problems/errors.js'
import { answerList } from '../../../core/dispatch/read-list.js'
import { list, resource, SchemaCompiler, Type, type DeclaredList } from '../../../core/sdk/index.js'
import { Fault, part } from '../../support/test-plugin.js'
import { bench, errorOf, saying, settle } from '../../support/unit.js'

function reading(read: DeclaredList['read']) {
  const kit = bench({
    'test.part': [
      { vendor: 'one', run: saying('1') },
      { vendor: 'two', run: saying('2') },
    ],
  })
  const loaded = kit.registry.capabilities.get('test.echo')
  if (loaded === undefined) throw new Error('not loaded')
  const declared = { ...list({ title: 'T', description: 'D', response: Type.Array(Type.String()), read: () => [] }), read }
  const compiler = new SchemaCompiler()
  const response = compiler.compile(declared.response)
  const answerOf = () =>
    answerList(kit.environment, {
      loaded: { ...loaded, settings: { word: 'x' } },
      list: { name: 'words', path: '/v1/test/echo/words', list: declared, query: compiler.compile(declared.query), response },
      query: { most: 1 },
      requestId: 'req_7',
    })
  return { kit, answerOf }
}

describe('reading a list', () => {
  it('sees the query, the settings of its plugin and the vendors that can be called, and nothing that costs anything', async () => {
    const { kit, answerOf } = reading((context) => {
      const seen = context as unknown as Record<string, unknown>
      expect(Object.keys(seen).sort()).to.deep.equal(['has', 'log', 'providers', 'query', 'settings', 'signal', 'use'])
      expect([seen.query, seen.settings]).to.deep.equal([{ most: 1 }, { word: 'x' }])
      context.log('read')
      return context.has(part) ? context.providers(part).map(({ id }) => id) : []
    })
    expect(await answerOf()).to.deep.equal(['one', 'two'])
    expect(kit.logs).to.deep.equal([{ level: 'info', event: 'plugin', message: 'read', fields: { request_id: 'req_7' } }])
    kit.suspensions.failed('test.part/one', new Fault('busy', 'x'), { started: kit.clock.monotonic(), local: false })
    expect(await answerOf()).to.deep.equal(['two'])
  })

  it('may use a resource of its plugin, which is opened once', async () => {
    let opened = 0
    const words = resource({ id: 'words', open: () => Promise.resolve([String(++opened)]) })
    const { answerOf } = reading((context) => context.use(words))
    expect([await answerOf(), await answerOf()]).to.deep.equal([['1'], ['1']])
  })

  it('ends after five seconds, when its signal is aborted', async () => {
    let signal: AbortSignal | undefined
    const { kit, answerOf } = reading((context) => ((signal = context.signal), new Promise(() => undefined)))
    const error = errorOf(answerOf())
    await settle()
    kit.clock.advance(4_999)
    await settle()
    expect(signal?.aborted).to.equal(false)
    kit.clock.advance(1)
    expect(((await error) as Stopped).reason).to.equal('deadline')
    expect(signal?.aborted).to.equal(true)
  })

  it('fails outside its schema, and where it throws at once', async () => {
    expect((await errorOf(reading(() => [7]).answerOf())).message).to.contain('the list words of test.echo answered outside its schema')
    const thrown = reading(() => {
      throw new RangeError('at once')
    })
    expect((await errorOf(thrown.answerOf())).message).to.equal('at once')
  })
})

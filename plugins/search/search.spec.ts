import { expect } from 'chai'
import { Fault, type HandlerContext, type Static } from '../../core/sdk/index.js'
import { resultsWith, searchContext } from '../../test/support/search.js'
import { search, type Answered } from './contract.js'
import { searchHandler } from './handler.js'

type Output = Static<typeof search.output>
const run = searchHandler.run as unknown as (input: object, context: HandlerContext) => Promise<Output>
const question = { query: 'red kettle', num_results: 3, country: 'us', freshness: 'any' }
const box = { title: 'Kettle', text: 'A kettle boils water.', url: null }

function answeredWith(text: string, snippets: readonly string[]): Answered {
  const results = resultsWith(...snippets)
  const [first] = results.organic_results
  return {
    ...results,
    answer: text,
    citations: first === undefined ? [] : [{ index: 1, title: first.title, url: first.url, snippet: first.snippet }],
    method: 'vendor',
  }
}

describe('search: the modes', () => {
  it('serp asks the engines alone and has no answer', async () => {
    const { ctx, asked } = searchContext({ 'search.serp': () => resultsWith('one') })
    const data = await run({ ...question, mode: 'serp' }, ctx)
    expect(asked).to.deep.equal([{ port: 'search.serp', input: question, only: undefined }])
    expect(data).to.deep.equal({ answer: null, citations: [], ...resultsWith('one') })
  })

  it('ai asks for an answer alone and keeps the results it was made from', async () => {
    const { ctx, asked } = searchContext({ 'search.answer': () => ({ ...answeredWith('Red [1].', ['one']), featured_snippet: box }) })
    const data = await run({ ...question, mode: 'ai' }, ctx)
    expect(asked.map(({ port }) => port)).to.deep.equal(['search.answer'])
    expect(data).to.include({ answer: 'Red [1].' })
    expect(data.featured_snippet).to.deep.equal(box)
    expect(data).to.have.all.keys('answer', 'citations', 'organic_results', 'knowledge_graph', 'featured_snippet')
  })

  it('deep asks both at once where the first vendor that answers searches by itself', async () => {
    const begun: string[] = []
    let release = (): void => undefined
    const both = new Promise<void>((resolve) => (release = resolve))
    const wait = async (name: string, value: unknown) => {
      begun.push(name)
      if (begun.length === 2) release()
      await both
      return value
    }
    const { ctx } = searchContext(
      {
        'search.serp': () => wait('serp', resultsWith('one')),
        'search.answer': () => wait('answer', answeredWith('Red [1].', ['one'])),
      },
      { searches: true },
    )
    const data = await run({ ...question, mode: 'deep' }, ctx)
    expect(begun).to.deep.equal(['serp', 'answer'])
    expect(data.answer).to.equal('Red [1].')
  })

  it('deep asks a vendor once that is the first engine too, and has the results with its answer', async () => {
    const found = answeredWith('Red [1].', ['one', 'two'])
    const { ctx, asked } = searchContext({ 'search.answer': () => found }, { searches: true, engine: 'one' })
    const data = await run({ ...question, mode: 'deep' }, ctx)
    expect(asked.map(({ port, input }) => [port, input.mode, input.own_search])).to.deep.equal([['search.answer', 'deep', true]])
    expect([data.answer, data.organic_results.length]).to.deep.equal(['Red [1].', 2])
  })

  it('deep asks the engines after such a vendor failed, and the others for the answer', async () => {
    const results = resultsWith('one')
    const { ctx, asked } = searchContext(
      {
        'search.serp': () => results,
        'search.answer': ({ own_search }: { own_search: boolean }) => {
          if (own_search) throw new Fault('missing', 'no answer')
          return answeredWith('Red [1].', ['one'])
        },
      },
      { searches: true, engine: 'one' },
    )
    expect((await run({ ...question, mode: 'deep' }, ctx)).answer).to.equal('Red [1].')
    expect(asked.map(({ port, input }) => [port, input.own_search])).to.deep.equal([
      ['search.answer', true],
      ['search.serp', undefined],
      ['search.answer', false],
    ])
  })

  it('deep ends with the reason of the vendors that search when nobody answers over results', async () => {
    const busy = new Fault('busy', 'no room')
    const { ctx, asked } = searchContext(
      { 'search.serp': () => resultsWith('one'), 'search.answer': () => Promise.reject(busy) },
      { searches: true, alone: true },
    )
    expect(await run({ ...question, mode: 'deep' }, ctx).catch((reason: unknown) => reason)).to.equal(busy)
    expect(asked.map(({ port }) => port)).to.deep.equal(['search.serp', 'search.answer'])
  })

  it('deep merges the lists without doubles, numbered anew and cut to what was asked for', async () => {
    const { ctx } = searchContext({
      'search.serp': () => ({ ...resultsWith('one', 'two'), featured_snippet: box }),
      'search.answer': () => ({ ...answeredWith('Red [1].', ['one', 'two', 'three', 'four']), featured_snippet: null }),
    })
    const data = await run({ ...question, mode: 'deep' }, ctx)
    expect(data.organic_results.map(({ url, position }) => `${position} ${url}`)).to.deep.equal([
      '1 https://s1.example/page',
      '2 https://s2.example/page',
      '3 https://s3.example/page',
    ])
    expect(data.featured_snippet).to.deep.equal(box)
  })

  it('deep ranks a page that engines and answer both have before one that only one of them has', async () => {
    const { ctx } = searchContext({
      'search.serp': () => resultsWith('one', 'two', 'three'),
      'search.answer': () => {
        const answered = answeredWith('Red [1].', ['one', 'two', 'three'])
        return {
          ...answered,
          organic_results: [4, 3].map((at) => ({ url: `https://s${at}.example/page/`, title: 'T', snippet: null, position: 1 })),
        }
      },
    })
    const data = await run({ ...question, num_results: 4, mode: 'deep' }, ctx)
    expect(data.organic_results.map(({ url, position }) => `${position} ${url}`)).to.deep.equal([
      '1 https://s3.example/page',
      '2 https://s1.example/page',
      '3 https://s4.example/page/',
      '4 https://s2.example/page',
    ])
  })

  it('deep gives the results to vendors that do not search, so that the engines are asked once', async () => {
    const results = resultsWith('one')
    const { ctx, asked } = searchContext({ 'search.serp': () => results, 'search.answer': () => answeredWith('Red [1].', ['one']) })
    expect((await run({ ...question, mode: 'deep' }, ctx)).answer).to.equal('Red [1].')
    expect(asked.map(({ port, input }) => [port, input.results ?? null])).to.deep.equal([
      ['search.serp', null],
      ['search.answer', results],
    ])
  })

  it('deep answers from its results when the answer failed', async () => {
    const results = resultsWith('one')
    const { ctx, asked } = searchContext(
      {
        'search.serp': () => results,
        'search.answer': (input: { results?: unknown }) => {
          if (input.results === undefined) throw new Fault('busy', 'no engine')
          return answeredWith('Red [1].', ['one'])
        },
      },
      { searches: true },
    )
    const data = await run({ ...question, mode: 'deep' }, ctx)
    expect(data.answer).to.equal('Red [1].')
    expect(asked.at(-1)?.input).to.deep.include({ results, own_search: false }, 'who searches was asked already')
  })

  it('deep lives on an answer that brought its own results when the engines failed', async () => {
    const { ctx } = searchContext(
      {
        'search.serp': () => {
          throw new Fault('busy', 'no engine')
        },
        'search.answer': () => answeredWith('Red [1].', ['one']),
      },
      { searches: true },
    )
    expect((await run({ ...question, mode: 'deep' }, ctx)).organic_results).to.have.length(1)
  })

  it('deep fails with the reason of the engines when neither had anything', async () => {
    const { ctx } = searchContext({
      'search.serp': () => {
        throw new Fault('quota', 'used up')
      },
      'search.answer': () => {
        throw new Fault('busy', 'no engine')
      },
    })
    const error = await run({ ...question, mode: 'deep' }, ctx).catch((reason: unknown) => reason)
    expect(Fault.is(error) && error.kind).to.equal('quota')
  })

  it('no result is a success of serp, with empty lists', async () => {
    const { ctx } = searchContext({ 'search.serp': () => resultsWith() })
    const data = await run({ ...question, mode: 'serp' }, ctx)
    expect(data).to.deep.equal({ answer: null, citations: [], organic_results: [], knowledge_graph: null, featured_snippet: null })
  })

  for (const mode of ['ai', 'deep']) {
    const missing = new Fault('missing', 'nothing')
    it(`${mode} without an answer gives the results and says so`, async () => {
      const { ctx, notes } = searchContext({
        'search.serp': () => ({ ...resultsWith('one', 'two'), featured_snippet: box }),
        'search.answer': () => Promise.reject(missing),
      })
      const data = await run({ ...question, mode }, ctx)
      expect(data).to.deep.equal({ answer: null, citations: [], ...resultsWith('one', 'two'), featured_snippet: box })
      expect(notes).to.deep.equal(['No answer could be put together from 2 results, so this call costs what mode serp costs.'])
    })

    it(`${mode} without an answer and without results has nothing, so that nobody pays`, async () => {
      const { ctx } = searchContext({ 'search.serp': () => resultsWith(), 'search.answer': () => Promise.reject(missing) })
      expect(await run({ ...question, mode }, ctx).catch((reason: unknown) => reason)).to.equal(missing)
    })

    it(`${mode} whose vendors failed is no search without an answer`, async () => {
      const busy = new Fault('busy', 'no room')
      const { ctx } = searchContext({ 'search.serp': () => resultsWith('one'), 'search.answer': () => Promise.reject(busy) })
      expect(await run({ ...question, mode }, ctx).catch((reason: unknown) => reason)).to.equal(busy)
    })
  }

  it('ai whose engines fail after the vendors found no answer ends as these did', async () => {
    const missing = new Fault('missing', 'nothing')
    const { ctx } = searchContext({
      'search.serp': () => Promise.reject(new Fault('busy', 'no engine')),
      'search.answer': () => Promise.reject(missing),
    })
    expect(await run({ ...question, mode: 'ai' }, ctx).catch((reason: unknown) => reason)).to.equal(missing)
  })

  it('costs what the specification says', () => {
    const price = (mode: 'serp' | 'ai' | 'deep') => search.price.quote({ ...question, freshness: 'any', mode })
    expect([price('serp'), price('ai'), price('deep')]).to.deep.equal([1, 2, 3])
    const charged = (mode: 'serp' | 'ai' | 'deep', answer: string | null) => {
      const input = { ...question, freshness: 'any' as const, mode }
      return search.price.quote(search.charged?.(input, { answer, citations: [], ...resultsWith('one') }) ?? input)
    }
    expect([charged('ai', null), charged('deep', null), charged('serp', null)], 'without an answer').to.deep.equal([1, 1, 1])
    expect([charged('ai', 'Red.'), charged('deep', 'Red.')], 'with one').to.deep.equal([2, 3])
  })
})

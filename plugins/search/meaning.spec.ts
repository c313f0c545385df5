import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import { Fault } from '../../core/sdk/index.js'
import { resultsWith, searchContext } from '../../test/support/search.js'
import { modelAnswer } from './answer/model-answer.js'
import { searchHandler } from './handler.js'
import { reranked } from './meaning.js'

const SNIPPETS = ['On kettles.', 'On tea.', 'On kettles and bees.', 'On bees.']
const given = resultsWith(...SNIPPETS).organic_results
const paths = (list: readonly { readonly url: string }[]): string => list.map(({ url }) => new URL(url).hostname.slice(1, 2)).join('')

/** An encoder with vectors only for bees and kettles. */
function encoder({ texts }: { texts: readonly string[] }) {
  return { vectors: texts.map((text) => new Float32Array([Number(text.includes('bees')), Number(text.includes('kettles'))])) }
}

describe('search: results by meaning', () => {
  it('pages near to the query rise, and the engines still count', async () => {
    const { ctx, asked } = searchContext({ 'sentences.embed': encoder })
    expect(paths(await reranked('how bees live', [given], 4, ctx))).to.equal('1324')
    expect(asked.map(({ input }) => input.texts)).to.deep.equal([
      ['how bees live', 'Source 1. On kettles.', 'Source 2. On tea.', 'Source 3. On kettles and bees.', 'Source 4. On bees.'],
    ])
  })

  it('without the pack, with one that fails, and for less than two pages, the engines alone decide', async () => {
    const without = searchContext({})
    expect(paths(await reranked('bees', [given], 4, without.ctx))).to.equal('1234')
    expect(without.asked).to.deep.equal([])
    const failing = searchContext({ 'sentences.embed': () => Promise.reject(new Fault('busy', 'full')) })
    expect(paths(await reranked('bees', [given], 4, failing.ctx))).to.equal('1234')
    expect(failing.logs).to.deep.equal(['results were not ordered by meaning'])
    const single = searchContext({ 'sentences.embed': encoder })
    expect(paths(await reranked('bees', [given.slice(0, 1)], 4, single.ctx))).to.equal('1')
    expect(single.asked).to.deep.equal([])
  })

  it('an encoder that is slow to start is not waited for, and then left alone for a minute', async () => {
    const clock = useFakeTimers({ now: 1_000_000, toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      let slow = true
      const { ctx, asked } = searchContext({ 'sentences.embed': (input: never) => (slow ? new Promise(() => undefined) : encoder(input)) })
      const order = reranked('bees', [given], 4, ctx)
      await clock.tickAsync(1_500)
      expect(paths(await order)).to.equal('1234')
      slow = false
      await clock.tickAsync(59_000)
      expect(paths(await reranked('bees', [given], 4, ctx))).to.equal('1234')
      expect(asked).to.have.length(1)
      await clock.tickAsync(1_000)
      expect(paths(await reranked('bees', [given], 4, ctx))).to.equal('1324')
    } finally {
      clock.restore()
    }
  })

  it('a call that was stopped ends, and is no order by the engines', async () => {
    const world = searchContext({
      'sentences.embed': () => {
        world.stop()
        throw new Fault('busy', 'stopped')
      },
    })
    const error: unknown = await reranked('bees', [given], 4, world.ctx).catch((reason: unknown) => reason)
    expect(Fault.is(error) && error.kind).to.equal('busy')
  })

  const question = { query: 'how bees live', num_results: 10, country: 'us', freshness: 'any' as const }

  it('the pages of an answer are chosen by it, serp stays as the engine gave it', async () => {
    const pages: string[] = []
    const world = () =>
      searchContext({
        'search.serp': () => resultsWith('On kettles.', 'On tea.', 'On pots.', 'On cups.', 'On jugs.', 'On bees.'),
        'scrape.fetch': ({ url }: { url: string }) => {
          pages.push(url)
          throw new Fault('missing', 'gone')
        },
        'sentences.embed': encoder,
        'llm.chat': () => ({ text: '', object: { answer: 'Bees live in hives [1].', used: [1] } }),
      })
    await modelAnswer({ ...question, results: null }, world().ctx, 'gemini')
    expect(pages).to.have.length(5).and.to.include('https://s6.example/page')
    const serp = await searchHandler.run({ ...question, mode: 'serp' } as never, world().ctx as never)
    expect(paths((serp as { organic_results: { url: string }[] }).organic_results)).to.equal('123456')
  })
})

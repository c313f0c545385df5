import { expect } from 'chai'
import { useFakeTimers } from 'sinon'
import { Fault, type ProviderContext, type Static } from '../../core/sdk/index.js'
import { errorOf } from '../../test/support/unit.js'
import { pageWith, resultsWith, searchContext } from '../../test/support/search.js'
import { extracted } from './answer/extract.js'
import { answer, type Answered } from './contract.js'
import { extractiveAnswer } from './providers/extractive.js'

const run = extractiveAnswer.run as unknown as (input: Static<typeof answer.input>, context: ProviderContext) => Promise<Answered>
const question = {
  query: 'why do bees dance',
  num_results: 10,
  country: 'us',
  freshness: 'any' as const,
  results: null,
  own_search: null,
  mode: 'ai' as const,
}

const BEES = `# Bees

Honey bees dance to tell the others of the hive where flowers are. The angle of the waggle dance gives the direction of the food from the sun.

The museum is open from ten to five on all days but Monday. Tickets are sold at the door and on the spot.

The length of the dance gives the distance to the food.`
const COPY = 'Honey bees dance to tell the others of the hive where flowers are. Scientists first read the dance of bees in the 1940s.'

function source(text: string, at = 1) {
  return { url: `https://s${at}.example/`, title: `Source ${at}`, snippet: null, text }
}

describe('search: answers without a model', () => {
  it('takes the sentences that fit the query and leaves the rest', () => {
    const found = extracted('why do bees dance', [source(BEES.replace(/^# .*$/m, ''))])
    expect(found?.answer).to.include('Honey bees dance to tell the others of the hive where flowers are [1].')
    expect(found?.answer).not.to.match(/museum|Tickets/)
    expect(found?.citations).to.deep.equal([{ index: 1, title: 'Source 1', url: 'https://s1.example/', snippet: null }])
  })

  it('says the same thing once, however many sources say it', () => {
    const found = extracted('why do bees dance', [source(COPY, 1), source(COPY, 2)])
    expect(found?.answer.split('Honey bees dance to tell').length).to.equal(2)
  })

  it('prefers a sentence that adds something over one that says nearly the same', () => {
    const near = 'Honey bees dance to tell the other bees of the hive where flowers are.'
    const found = extracted('why do bees dance', [source(COPY, 1), source(near, 2)])
    expect(found?.answer.split('Honey bees').length).to.equal(2)
    expect(found?.answer).to.include('Scientists first read the dance')
  })

  it('finds a word in another of its forms', () => {
    const text = 'A kettle is descaled with citric acid and water.'
    expect(extracted('how to descale kettles', [source(text)])?.answer).to.equal('A kettle is descaled with citric acid and water [1].')
    expect(extracted('descaling a kettle', [source(text)])).not.to.equal(null)
    expect(extracted('where are these kettles sold', [source(text)])).to.equal(null)
  })

  it('numbers the citations in the order of use', () => {
    const found = extracted('bees dance', [
      source('Nothing of the kind stands here at all.', 1),
      source('The bees dance in the evening when it is warm.', 2),
    ])
    expect(found?.answer).to.match(/\[1\]\.$/)
    expect(found?.citations.map(({ index, url }) => [index, url])).to.deep.equal([[1, 'https://s2.example/']])
  })

  it('has no answer when nothing has to do with the query', () => {
    expect(extracted('quantum flux capacitors', [source(BEES)])).to.equal(null)
  })

  it('newcomer 20 has no answer when the sentences are about something near it, or the query is one letter', () => {
    const shop =
      'Our 180 cm table costs 780 in pine and 1,240 in oak, with an oiled top. It bounces off oak. Founded in 2009, it employs 14 people.'
    expect(extracted('Is oak harder than pine?', [source(shop)])).to.equal(null)
    expect(extracted('x', [source('Send your key in the X-Api-Key header of each request.')])).to.equal(null)
    const wood = 'On the Janka scale oak is much harder than pine. Our table costs 780 in pine and 1,240 in oak.'
    expect(extracted('Is oak harder than pine?', [source(wood)])?.answer).to.contain('On the Janka scale oak is much harder than pine [1].')
    expect(
      extracted('tallest lighthouse in the world', [source('The tallest lighthouse of the world stands in Jeddah. It is 133 m high.')])
        ?.answer,
    ).to.contain('Jeddah')
  })

  it('goes by what the question is about, not by how it is put', () => {
    const found = extracted('how is a kettle cleaned', [
      source('How is it that one is or is not a member of how a club is run. Vinegar gets a kettle cleaned overnight.'),
    ])
    expect(found?.answer).to.equal('Vinegar gets a kettle cleaned overnight [1].')
  })

  it('keeps a sentence whole across abbreviations', () => {
    const found = extracted('bees dance', [
      source('Dr. Smith, e.g. in the U.S. of the 1940s, saw bees dance for food. Nothing else was said.'),
    ])
    expect(found?.answer).to.equal('Dr. Smith, e.g. in the U.S. of the 1940s, saw bees dance for food [1].')
  })

  it('works in scripts without spaces', () => {
    const found = extracted('蜜蜂为什么跳舞', [source('博物馆星期一不开放,门票在门口出售。蜜蜂跳舞是为了告诉同伴花在哪里。', 1)])
    expect(found?.answer).to.include('蜜蜂跳舞')
    expect(found?.answer).not.to.include('博物馆')
  })

  it('reads the first five pages and says in a note that no model wrote the answer', async () => {
    const read: string[] = []
    const results = resultsWith(...Array.from({ length: 8 }, () => 'Bees dance.'))
    const { ctx, notes } = searchContext({
      'search.serp': () => results,
      'scrape.fetch': ({ url }: { url: string }) => {
        read.push(url)
        return pageWith(BEES)
      },
    })
    const found = await run(question, ctx)
    expect(read).to.deep.equal(results.organic_results.slice(0, 5).map(({ url }) => url))
    expect(found.method).to.equal('extractive')
    expect(found.answer).to.include('Honey bees dance')
    expect(notes.join()).to.include('no language model')
  })

  it('works with snippets alone when no page can be read', async () => {
    const { ctx, logs } = searchContext({
      'search.serp': () => resultsWith('Honey bees dance to show where flowers are ...', null),
      'scrape.fetch': () => {
        throw new Fault('blocked', 'refused')
      },
    })
    const found = await run(question, ctx)
    expect(found.answer).to.equal('Honey bees dance to show where flowers are [1].')
    expect(logs).to.have.length(2)
  })

  it('waits five and a half seconds for a page and not longer', async () => {
    const clock = useFakeTimers()
    try {
      const { ctx } = searchContext({
        'search.serp': () => resultsWith('Honey bees dance to show where flowers are.'),
        'scrape.fetch': () => new Promise(() => undefined),
      })
      let done = false
      const found = run(question, ctx).finally(() => (done = true))
      await clock.tickAsync(5_499)
      expect(done).to.equal(false)
      await clock.tickAsync(1)
      expect((await found).answer).to.equal('Honey bees dance to show where flowers are [1].')
    } finally {
      clock.restore()
    }
  })

  it('is not asked for a search of its own, unless it is given the results', () => {
    const serves = extractiveAnswer.serves as (input: object) => boolean
    expect([serves(question), serves({ ...question, own_search: true })]).to.deep.equal([true, false])
    expect(serves({ ...question, own_search: false, results: resultsWith('Bees dance.') })).to.equal(true)
  })

  it('has nothing when no sentence of the sources fits', async () => {
    const { ctx, notes } = searchContext({ 'scrape.fetch': () => pageWith('The museum is open from ten to five on all days but Monday.') })
    const error = await errorOf(run({ ...question, results: resultsWith(null) }, ctx))
    expect(Fault.is(error) && [error.kind, error.remedy]).to.deep.equal([
      'missing',
      'Ask with mode serp for the results themselves, or in other words.',
    ])
    expect(notes).to.deep.equal([])
  })

  it('asks no engine when it is given results', async () => {
    const { ctx, asked } = searchContext({ 'scrape.fetch': () => pageWith(BEES) })
    await run({ ...question, results: resultsWith('Bees dance.') }, ctx)
    expect(asked.map(({ port }) => port)).to.deep.equal(['scrape.fetch'])
  })

  it('a failure of the engines counts for a moment only, not as its own', async () => {
    const { ctx } = searchContext({
      'search.serp': () => {
        throw new Fault('quota', 'used up')
      },
    })
    const error = await run(question, ctx).catch((reason: unknown) => reason)
    expect(Fault.is(error) && [error.kind, error.retryAfterSeconds]).to.deep.equal(['busy', 1])
  })

  it('stops when the call is stopped instead of answering from snippets', async () => {
    const context = searchContext({
      'search.serp': () => resultsWith('Bees dance in the hive every day.'),
      'scrape.fetch': () => {
        context.stop()
        throw new Error('stopped')
      },
    })
    const error = await run(question, context.ctx).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Error).with.property('message', 'stopped')
  })
})

import { expect } from 'chai'
import type { HandlerContext } from '../../../core/sdk/index.js'
import type { Source } from '../run-state.js'
import { passagesOf } from '../text/passages.js'
import { byMeaning } from './meaning.js'
import { scoredPassages } from './rank.js'

function sourceOf(name: string, text: string): Source {
  const url = `https://${name}.example/`
  return {
    url,
    title: name,
    domain: `${name}.example`,
    snippet: null,
    type: 'web',
    published: null,
    found: 0,
    text,
    passages: passagesOf(text),
  }
}

/** A context with an encoder that returns these vectors; `vectors` null for none. */
function contextWith(vectors: ((text: string) => number[]) | null): HandlerContext {
  const context = {
    has: () => vectors !== null,
    call: (_: unknown, { texts }: { texts: string[] }) =>
      Promise.resolve({ vectors: texts.map((text) => Float32Array.from(vectors?.(text) ?? [])) }),
    aside: (task: (context: unknown) => Promise<unknown>) => task(context),
  }
  return context as unknown as HandlerContext
}

describe('research: passages by meaning', () => {
  const sources = [
    sourceOf('words', 'A car car is a car that costs much.'),
    sourceOf('meaning', 'The price of an automobile, or car, is high.'),
  ]
  const byWords = scoredPassages('car costs', sources)
  const order = async (ctx: HandlerContext, withinMs = 1_000): Promise<string[]> =>
    (await byMeaning('car costs', byWords, ctx, withinMs)).map(({ source }) => source.title)

  it('the one that means what was asked comes before one that has more of its words', async () => {
    expect(byWords.map(({ source }) => source.title)).to.deep.equal(['words', 'meaning'])
    const ctx = contextWith((text) => (text.startsWith('A car') ? [0, 1] : [1, 0]))
    const found = await byMeaning('car costs', byWords, ctx, 1_000)
    expect(found.find(({ source }) => source.title === 'meaning')?.score).to.be.greaterThan(byWords[1]?.score ?? 1)
    expect(found.find(({ source }) => source.title === 'words')?.score).to.be.below(1)
  })

  it('keep their order where no encoder is installed, and when no time is left', async () => {
    expect(await order(contextWith(null))).to.deep.equal(['words', 'meaning'])
    expect(
      await order(
        contextWith(() => [1]),
        0,
      ),
    ).to.deep.equal(['words', 'meaning'])
  })
})

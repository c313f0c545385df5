import { expect } from 'chai'
import { leastCpuOf } from '../../../test/support/time.js'
import { facetsOf } from '../plan/facets.js'
import { scoredPassages } from '../rank/rank.js'
import type { NumberedSource } from '../run-state.js'
import { citedIn } from '../text/markers.js'
import { passagesOf } from '../text/passages.js'
import { confidenceOf, signsOf } from './confidence.js'
import { extractiveReport } from './extractive.js'
import { quotable } from './quotable.js'
import { citedInDraft } from './checked.js'

const quoted = (markdown: string): string[] => passagesOf(markdown).flatMap((passage) => quotable(passage).filter((one) => one !== null))

describe('research: sentences that are quoted', () => {
  it('sentences of paragraphs are, and items of lists that are sentences', () => {
    expect(
      quoted('The valve opens at three bar. It closes again at two bar.\n\n- A spring presses the valve shut at rest.\n- three bar'),
    ).to.deep.equal(['The valve opens at three bar.', 'It closes again at two bar.', 'A spring presses the valve shut at rest.'])
  })

  it('headings, rows of tables, code, commands, navigation, questions and what a page says of itself are not', () => {
    const page = [
      '# How a valve works in the boiler room',
      '| Model | Opens at three bar of pressure. |\n|---|---|\n| A | It opens at two bar of pressure. |',
      '```\nvalve --open three bar of pressure.\n```',
      '# valve-ctl --set=3 && (valve-ctl | grep "^open") > /dev/null.',
      '$ valve-ctl -x -f "$VALVE" | tee {a,b} >> /var/log/x.',
      'Prev » Up » Home » Contents » Next » Valves of the boiler.',
      'Why does the valve open at three bar?',
      'We use cookies to show you the valves that you like.',
      'Copyright © 2024 Valve Works, all rights reserved worldwide.',
      'Chapter seven of the book on valves and pressure',
      'Read how it opens at https://valves.example/open today.',
    ]
    expect(quoted(page.join('\n\n'))).to.deep.equal([])
  })

  it('a line that announces a list is one sentence with its items, as far as there is room', () => {
    expect(quoted('The archive has three areas:\n\n- main\n- contrib\n- non-free')).to.deep.equal([
      'The archive has three areas: main; contrib; non-free.',
    ])
    const long = quoted(`The archive has many areas:\n\n${Array.from({ length: 60 }, (_, at) => `- area number ${String(at)}`).join('\n')}`)
    expect(long[0]).to.match(/^The archive has many areas: area number 0; .*; …$/)
    expect(long[0]?.length).to.be.at.most(505)
    expect(quoted('1000-59999:\n\nUser accounts that are allocated dynamically.')).to.deep.equal([
      '1000-59999: User accounts that are allocated dynamically.',
    ])
  })

  it('a snippet may lack its ends', () => {
    const [passage] = passagesOf('valve opens at three bar and closes again at')
    if (passage === undefined) return expect.fail('no passage')
    expect(quotable(passage)).to.deep.equal([null])
    expect(quotable(passage, { isCut: true })).to.deep.equal(['valve opens at three bar and closes again at'])
  })

  it('takes linear time over texts made to slow it down', () => {
    for (const piece of ['a ', '- a\n', 'A: \n', '[', '[a', '» ', '. ', 'a.b ', '&&', 'Ab cd ef gh ij. ']) {
      const text = piece.repeat(Math.ceil(65_536 / piece.length))
      const passages = passagesOf(text)
      expect(
        leastCpuOf(300, () => passages.forEach((passage) => void quotable(passage))),
        JSON.stringify(piece),
      ).to.be.below(300)
    }
  })
})

function sourceOf(id: number, name: string, text: string): NumberedSource {
  return {
    id,
    url: `https://${name}.example/page`,
    title: `Page of ${name}`,
    domain: `${name}.example`,
    snippet: null,
    type: 'web',
    published: null,
    found: 1 / 61,
    text,
    passages: passagesOf(text),
  }
}

function reported(query: string, sources: readonly NumberedSource[]) {
  const passages = scoredPassages(query, sources)
  const draft = extractiveReport({ query, facets: facetsOf(query), sources, passages })
  const ids = citedInDraft(draft)
  const answered = { query, answer: draft.summary, passages, cited: sources.filter(({ id }) => ids.has(id)) }
  return { draft, signs: signsOf(answered), confidence: confidenceOf(answered) }
}

/** Filler, so that the terms of the facts are as rare as in real pages. */
const FILLER = Array.from(
  { length: 12 },
  (_, at) =>
    `Part ${String(at)} of the yearbook tells of gardens, of roads and of the weather in the valley. The council met on most days of the year.`,
)
const page = (...facts: string[]): string =>
  FILLER.flatMap((text, at) => [`## Section ${String(at)}`, text, ...facts.slice(at, at + 1)]).join('\n\n')

describe('research: a report made of sentences', () => {
  const sources = [
    sourceOf(
      1,
      'alpha',
      page('The Lowdale bridge was opened by Ada Example in 1932.', 'It carries two tracks and a footpath over the river.'),
    ),
    sourceOf(2, 'beta', page('Ada Example opened the Lowdale bridge with a speech.', 'The mill of Lowdale burns straw.')),
    sourceOf(3, 'gamma', page('The Highgate tower is 80 metres high.', 'Kettles are made in Highgate.')),
  ]

  it('begins with the one or two sentences that answer the question, and is short', () => {
    const { draft } = reported('Who opened the Lowdale bridge?', sources)
    expect(draft.summary).to.match(
      /^(?:The Lowdale bridge was opened by Ada Example in 1932 \[Source 1\]\.|Ada Example opened the Lowdale bridge with a speech \[Source 2\]\.)/,
    )
    expect(draft.summary.match(/\[Source \d\]/g)?.length).to.be.within(1, 2)
    expect(draft.key_findings[0]).to.include('Ada Example')
    expect(draft.sections.length).to.be.at.most(6)
    for (const { content } of draft.sections) expect(content.length).to.be.below(1_000)
  })

  it('each part of a question is a section, with quotes of the sources that answer it', () => {
    const { draft } = reported('Who opened the Lowdale bridge? How high is the Highgate tower?', sources)
    expect(draft.sections.map(({ heading }) => heading)).to.deep.equal(['Who opened the Lowdale bridge', 'How high is the Highgate tower'])
    expect(draft.sections[1]?.content).to.include('The Highgate tower is 80 metres high [Source 3].')
  })

  it('a sentence that refers to the one before it is quoted with that', () => {
    const { draft } = reported('How many tracks does the Lowdale bridge carry over the river?', [
      sourceOf(1, 'alpha', 'The Lowdale bridge is of steel. It carries two tracks over the river.'),
    ])
    expect(draft.summary).to.equal('The Lowdale bridge is of steel [Source 1]. It carries two tracks over the river [Source 1].')
  })

  it('a figure, a year or a name comes first where the question asks for one', () => {
    const bridge = [
      sourceOf(1, 'alpha', 'The Lowdale bridge was opened to great joy.\n\n## More\n\nThe Lowdale bridge was opened in 1932.'),
    ]
    expect(reported('When was the Lowdale bridge opened?', bridge).draft.summary).to.match(/^The Lowdale bridge was opened in 1932/)
  })

  it('says nothing where no sentence has a word of the question', () => {
    const { draft, confidence } = reported('Which submarines dive deepest?', sources)
    expect([draft.summary, draft.sections, draft.key_findings]).to.deep.equal(['', [], []])
    expect(confidence).to.equal(0)
  })

  it('points to sources that exist, and each quote is of the source that it points to', () => {
    const { draft } = reported('Who opened the Lowdale bridge? How high is the Highgate tower?', sources)
    const texts = [draft.summary, ...draft.key_findings, ...draft.sections.map(({ content }) => content)].join('\n\n')
    for (const sentence of texts.split(/(?<=\]\.) |\n+/)) {
      const [id = 0] = citedIn(sentence)
      expect(sources[id - 1]?.text, sentence).to.include(sentence.replace(/ \[Source \d\]/, ''))
    }
  })
})

describe('research: confidence of a report', () => {
  const two = (fact: string, other: string) => [
    sourceOf(1, 'alpha', page(fact)),
    sourceOf(2, 'beta', page(other)),
    sourceOf(3, 'gamma', page('Highgate has a market.')),
  ]

  it('is higher when an independent site says the same, than when another page of the site does', () => {
    const query = 'Who opened the Lowdale bridge?'
    const [fact, other] = ['The Lowdale bridge was opened by Ada Example.', 'Ada Example opened the new Lowdale bridge.']
    const both = reported(query, two(fact, other))
    const alone = reported(query, two(fact, 'The mill burns straw.'))
    const sameSite = reported(
      query,
      two(fact, other).map((source) => ({ ...source, domain: 'alpha.example' })),
    )
    expect(both.signs.agreement).to.be.above(0)
    expect([alone.signs.agreement, sameSite.signs.agreement]).to.deep.equal([0, 0])
    expect(both.confidence).to.be.above(alone.confidence)
  })

  it('is lower when the sentences take up less of the question', () => {
    const query = 'How much copper does the Lowdale foundry melt in a year?'
    const right = reported(query, two('The Lowdale foundry melts 900 tonnes of copper in a year.', 'The foundry is old.'))
    const near = reported(query, two('The Lowdale foundry was built of brick.', 'The foundry is old.'))
    expect(right.confidence).to.be.above(near.confidence + 0.2)
  })

  it('rests on snippets less than on pages that were read', () => {
    const sources = two('The Lowdale bridge was opened by Ada Example.', 'Ada Example opened the new Lowdale bridge.')
    const read = reported('Who opened the Lowdale bridge?', sources).confidence
    const unread = reported(
      'Who opened the Lowdale bridge?',
      sources.map((source) => ({ ...source, text: null })),
    ).confidence
    expect(unread).to.be.below(0.5)
    expect(unread).to.be.below(read)
  })

  it('right answers have a higher mean than wrong ones', () => {
    const FACTS = [
      ['Who founded the Lowdale mill?', 'The Lowdale mill was founded by Ada Example.', /Ada Example/],
      ['How high is the Highgate tower?', 'The Highgate tower is 80 metres high.', /80 metres/],
      ['When did the Eastwick tunnel open?', 'The Eastwick tunnel opened in 1911.', /1911/],
      ['Which metal does the Westbury foundry melt?', 'The Westbury foundry melts copper.', /copper/],
      ['How many ships does the Southmoor harbour take?', 'The Southmoor harbour takes 44 ships.', /44 ships/],
      ['What does the Millbrook paper mill burn?', 'The Millbrook paper mill burns straw.', /straw/],
    ] as const
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
    const of = (known: boolean) =>
      FACTS.map(([query, fact, answer], at) => {
        // Other questions' facts are near the question whose own fact is missing.
        const own = FACTS.filter((_, other) => known || other !== at).map(([, text]) => text)
        const { draft, confidence } = reported(query, [
          sourceOf(1, 'alpha', page(...own)),
          sourceOf(2, 'beta', page(...[...own].reverse())),
          sourceOf(3, 'gamma', page()),
        ])
        expect(answer.test(draft.summary), `${query} ${draft.summary}: ${fact}`).to.equal(known)
        return confidence
      })
    expect(mean(of(true))).to.be.above(mean(of(false)) + 0.2)
  })
})

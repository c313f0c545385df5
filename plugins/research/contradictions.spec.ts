import { expect } from 'chai'
import { atMost } from '../../test/support/time.js'
import { contradictions, statedContradiction } from './contradictions.js'
import type { NumberedSource } from './run-state.js'

/** Sources of different domains, one for each text. */
function sourcesOf(...texts: readonly string[]): NumberedSource[] {
  return texts.map((text, at) => ({
    id: at + 1,
    url: `https://site${String(at + 1)}.example/page`,
    title: 'A page',
    domain: `site${String(at + 1)}.example`,
    snippet: null,
    type: 'web',
    published: null,
    found: 1,
    text,
    passages: [{ headings: [], text, isProse: true, items: new Set(), code: [], above: [], terms: [] }],
  }))
}

const found = (query: string, ...texts: readonly string[]) => contradictions(query, sourcesOf(...texts))
const isSame = (query: string, ...texts: readonly string[]) => expect(found(query, ...texts), texts.join(' | ')).to.deep.equal([])

describe('research: contradictions between sources', () => {
  it('two figures of one subject are a contradiction, with each statement under its source', () => {
    const [first, ...more] = found(
      'capacity of the Springfield plant',
      'The plant in Springfield has a capacity of 400 megawatts.',
      'Visitors like the gardens of Springfield.',
      'The Springfield plant has a capacity of 550 megawatts.',
    )
    expect(more).to.deep.equal([])
    expect(first?.subject).to.equal('plant Springfield capacity')
    expect(first?.statements.map(({ source }) => source)).to.deep.equal([1, 3])
    expect(first === undefined ? '' : statedContradiction(first)).to.equal(
      '"The plant in Springfield has a capacity of 400 megawatts" [Source 1]; ' +
        '"The Springfield plant has a capacity of 550 megawatts" [Source 3].',
    )
  })

  it('a figure with zeros at its end is not taken for a rough one', () => {
    const wind = (figure: number) => `The wind park of the north coast has a capacity of ${String(figure)} megawatts.`
    expect(found('capacity of wind parks', wind(400), wind(450))).to.have.length(1)
    isSame('capacity of wind parks', wind(400), wind(404))
  })

  it('two dates of one event are a contradiction', () => {
    expect(
      found('when did the harbour bridge open', 'The harbour bridge opened on 19 March 1932.', 'The harbour bridge opened in 1934.'),
    ).to.have.length(1)
    expect(
      found('when did the harbour bridge open', 'The harbour bridge opened in March 1932.', 'The harbour bridge opened in May 1932.'),
    ).to.have.length(1)
  })

  it('a yes and a no are a contradiction, as not, as a contraction and as an opposite', () => {
    const yes = 'The driver supports hardware encryption on laptops.'
    for (const no of [
      'The driver does not support hardware encryption on laptops.',
      "The driver doesn't support hardware encryption on laptops.",
    ])
      expect(found('driver hardware encryption', yes, no), no).to.have.length(1)
    expect(
      found('telemetry', 'Telemetry is enabled in the default installation.', 'Telemetry is disabled in the default installation.'),
    ).to.have.length(1)
  })

  it('three sources that disagree are one contradiction', () => {
    const [first, ...more] = found(
      'height of the tower',
      'The old tower is 120 metres high.',
      'The old tower is 140 metres high.',
      'The old tower is 160 metres high.',
    )
    expect(more).to.deep.equal([])
    expect(first?.statements.map(({ source }) => source)).to.deep.equal([1, 2, 3])
  })

  it('the same figure in other units, rounded or written in another way is none', () => {
    isSame('length of the base tunnel', 'The base tunnel is 57 km long.', 'The base tunnel is 57,000 metres long.')
    isSame('length of the base tunnel', 'The base tunnel is 57 km long.', 'The base tunnel is 57.1 kilometres long.')
    isSame('cost of the base tunnel', 'The base tunnel cost 3 billion euros.', 'The base tunnel cost €3.2 billion.')
    isSame('people in the old town', 'The old town has 12,345 inhabitants.', 'The old town has 12.345 inhabitants.')
    isSame('share of the vote', 'The party won 40 percent of the vote.', 'The party won 40% of the vote.')
  })

  it('figures of different years, and a year that holds the day of the other, are none', () => {
    isSame(
      'population of the town',
      'In 2010 the population of the town was 40,000 people.',
      'In 2020 the population of the town was 55,000 people.',
    )
    isSame('when did the harbour bridge open', 'The harbour bridge opened on 19 March 1932.', 'The harbour bridge opened in 1932.')
  })

  it('things with different names or versions are compared by nobody', () => {
    isSame('support of Debian', 'Support of Debian 11 ends after 3 years.', 'Support of Debian 12 ends after 5 years.')
    isSame('length of tunnels', 'The tunnel at Gotthard is 57 km long.', 'The tunnel at Brenner is 64 km long.')
    isSame('length of tunnels', 'The tunnel at Gotthard is 57 km long.', 'The tunnel is 35 km long.')
  })

  it('a sentence without a name has that of its heading', () => {
    const [first, second] = sourcesOf('The tunnel at Gotthard is 57 km long.', 'The tunnel is 35 km long.')
    const below = second === undefined ? [] : [{ ...second, title: 'Gotthard' }]
    expect(contradictions('length of the tunnel', [...(first === undefined ? [] : [first]), ...below])).to.have.length(1)
  })

  it('sentences with several figures of a unit, questions and conditions state nothing certain', () => {
    isSame('tickets', 'A ticket costs 5 euros, with a card 3 euros.', 'A ticket costs 8 euros.')
    isSame('tickets', 'Does a day ticket cost 5 euros?', 'A day ticket costs 8 euros.')
    isSame('telemetry', 'If telemetry is enabled in the default installation.', 'Telemetry is disabled in the default installation.')
  })

  it('a source, and another page of its domain, contradict themselves without being named', () => {
    isSame('height of the tower', 'The old tower is 120 metres high. The old tower is 140 metres high.')
    const [first, second] = sourcesOf('The old tower is 120 metres high.', 'The old tower is 140 metres high.')
    const same = [first, second].flatMap((source) => (source === undefined ? [] : [{ ...source, domain: 'site1.example' }]))
    expect(contradictions('height of the tower', same)).to.deep.equal([])
  })

  it('what the query does not ask about is not compared', () => {
    isSame('gardens in spring', 'The old tower is 120 metres high.', 'The old tower is 140 metres high.')
  })

  it('forty hostile sources of 64 KiB take less than a second', async function () {
    const text = Array.from(
      { length: 600 },
      (_, at) => `Kettle ${'word '.repeat(8)}costs ${String(at)} euros and is not ${'9'.repeat(20)},,.. red.`,
    ).join(' ')
    const sources = sourcesOf(...Array.from({ length: 40 }, () => text.slice(0, 65_536)))
    const began = process.cpuUsage()
    expect(contradictions('kettle costs', sources).length).to.be.at.most(5)
    const { user, system } = process.cpuUsage(began)
    await atMost(this, { what: 'milliseconds of the processor', value: (user + system) / 1_000, limit: 1_000 })
  })
})

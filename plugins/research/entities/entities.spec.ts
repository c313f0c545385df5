import { expect } from 'chai'
import type { Source } from '../run-state.js'
import { passagesOf } from '../text/passages.js'
import { detected, united } from './detect.js'
import { namedIn } from './in-sentence.js'

const person = (name: string, role: string, company: string | null) => ({ name, role, company })

describe('research: people and companies that sentences name', () => {
  const sentences: readonly [string, ReturnType<typeof person>][] = [
    ['Acme CEO First Last said that sales grew.', person('First Last', 'ceo', 'Acme')],
    ['First Last, the CEO of Acme Works, said so.', person('First Last', 'ceo', 'Acme Works')],
    ['First Last is the managing director of Acme.', person('First Last', 'managing director', 'Acme')],
    ['Last year professor First Middle Last of Example University wrote it.', person('First Middle Last', 'professor', null)],
    ['The founder of Acme, First Last, left in May.', person('First Last', 'founder', 'Acme')],
    ["First Last, Acme's founder, left in May.", person('First Last', 'founder', 'Acme')],
  ]
  for (const [sentence, expected] of sentences)
    it(`"${sentence}"`, () => {
      const [found] = namedIn(sentence).people
      expect(found?.name).to.equal(expected.name)
      expect(found?.role).to.equal(expected.role)
      if (expected.company !== null) expect(found?.company).to.equal(expected.company)
    })

  it('sentences without a person with a role name nobody', () => {
    for (const sentence of ['The President of the board resigned.', 'New York is large.', 'Our CEO said that.', 'CEO', ''])
      expect(namedIn(sentence).people, sentence).to.deep.equal([])
  })

  it('companies end like companies', () => {
    expect(namedIn('In May Acme Robotics Inc. bought Kettle Works GmbH, and the price rose.').companies).to.deep.equal([
      'Acme Robotics Inc',
      'Kettle Works GmbH',
    ])
  })

  it('takes linear time over texts made to slow it down', () => {
    const began = process.cpuUsage()
    for (const piece of ['CEO ', 'A ', 'of ', 'Vice President ', 'X, ']) namedIn(piece.repeat(20_000))
    expect(process.cpuUsage(began).user / 1_000).to.be.below(500)
  })
})

describe('research: one list of people and companies', () => {
  const nowhere: readonly Source[] = []

  it('two people of one name at different companies stay two', () => {
    const { people } = united(
      { people: [person('First Last', 'ceo', 'Acme'), person('First Last', 'cto', 'Zenith')], companies: [] },
      nowhere,
    )
    expect(people.map(({ company }) => company)).to.deep.equal(['Acme', 'Zenith'])
  })

  it('mentions of one company are one, the legal form and capitals aside, and the role is kept', () => {
    const { people } = united(
      { people: [{ name: 'First Last', role: null, company: 'Acme Inc.' }, person('First Last', 'ceo', 'ACME')], companies: [] },
      nowhere,
    )
    expect(people).to.deep.equal([{ name: 'First Last', role: 'ceo', company: 'Acme Inc.' }])
  })

  it('who is named without a company is not listed beside somebody of the name who has one', () => {
    const { people } = united(
      { people: [person('First Last', 'author', null), person('First Last', 'ceo', 'Acme')], companies: [] },
      nowhere,
    )
    expect(people).to.deep.equal([person('First Last', 'ceo', 'Acme')])
  })

  it('a company has a domain only where a source of its name was found', () => {
    const text = 'Kettle Works GmbH makes kettles. Acme Inc. sells them.'
    const source: Source = {
      url: 'https://www.kettle-works.example.com/',
      title: 'x',
      domain: 'kettle-works.com',
      snippet: null,
      type: 'web',
      published: null,
      found: 0,
      text,
      passages: passagesOf(text),
    }
    expect(detected(source.passages, [source]).companies).to.deep.equal([
      { name: 'Kettle Works GmbH', domain: 'kettle-works.com' },
      { name: 'Acme Inc', domain: null },
    ])
  })
})

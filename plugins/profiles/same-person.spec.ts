import { expect } from 'chai'
import { emptyPerson, type PersonRecord } from './record.js'
import { agree, matchesRequest, peopleOf } from './same-person.js'

type Facts = Partial<Pick<PersonRecord, 'company' | 'location' | 'linkedin_url' | 'full_name' | 'employers'>> & {
  school?: string
  past?: string
  now?: string
}
const job = (company: string, current: boolean) => ({ company, title: null, start_date: null, end_date: current ? null : '2019', current })
const record = ({ school, past, now, ...facts }: Facts): PersonRecord => ({
  ...emptyPerson(),
  full_name: 'John Smith',
  ...facts,
  experience: [...(now === undefined ? [] : [job(now, true)]), ...(past === undefined ? [] : [job(past, false)])],
  education: school === undefined ? [] : [{ school, degree: null, field_of_study: null, start_date: null, end_date: null }],
})
const address = (slug: string) => `https://www.linkedin.com/in/${slug}`

describe('records of one person', () => {
  const pairs: [string, Facts, Facts, boolean][] = [
    ['a company in other words', { company: 'Acme, Inc.' }, { past: 'ACME' }, true],
    ['a company and its domain', { company: 'Acme' }, { company: 'Other', employers: ['www.acme.com'] }, true],
    ['a school', { school: 'INSA Lyon' }, { school: 'Insa  LYON' }, true],
    ['N3 an employer and a town', { company: 'Acme', location: 'Lyon, France' }, { past: 'Acme', location: 'Lyon' }, true],
    ['N3 a past employer, where one alone has a current one', { past: 'Acme', now: 'Zenith' }, { past: 'Acme' }, true],
    ['N3 one of two current employers', { company: 'Acme', now: 'Zenith' }, { company: 'Zenith' }, true],
    ['N3 a town alone', { location: 'Lyon, Auvergne-Rhône-Alpes, France' }, { location: 'Lyon, Auvergne-Rhone-Alpes, France' }, false],
    ['N3 a town, with two current employers', { company: 'Acme', location: 'Lyon' }, { company: 'Zenith', location: 'Lyon' }, false],
    ['N3 a school, with two current employers', { company: 'Acme', school: 'INSA Lyon' }, { now: 'Zenith', school: 'INSA Lyon' }, false],
    ['N3 a past employer, with two current ones', { now: 'Acme', past: 'Beta' }, { company: 'Zenith', past: 'Beta' }, false],
    ["N3 a current employer that is the other's past one", { company: 'Acme' }, { company: 'Zenith', past: 'Acme' }, false],
    ["N3 a domain of the other's past employer", { company: 'Acme' }, { now: 'Zenith', past: 'Acme', employers: ['acme.com'] }, false],
    ['the name alone', {}, {}, false],
    ['the country alone', { location: 'France' }, { location: 'France' }, false],
    ['two companies', { company: 'Acme' }, { company: 'Zenith' }, false],
    ['two legal forms alone', { company: 'GmbH' }, { company: 'Ltd' }, false],
    ['an initial', { full_name: 'J. Smith', company: 'Acme' }, { company: 'Acme' }, true],
    ['a middle name', { full_name: 'John Q Smith', company: 'Acme' }, { company: 'Acme' }, true],
    ['another first name', { full_name: 'Jane Smith', company: 'Acme' }, { company: 'Acme' }, false],
    ['another last name', { full_name: 'John Smythe', company: 'Acme' }, { company: 'Acme' }, false],
    ['no name', { full_name: null, company: 'Acme' }, { full_name: null, company: 'Acme' }, false],
  ]
  for (const [name, one, other, expected] of pairs)
    it(`${expected ? 'agree' : 'do not agree'} by ${name}`, () => {
      expect(agree(record(one), record(other))).to.equal(expected)
      expect(agree(record(other), record(one))).to.equal(expected)
    })

  it('never are two addresses, whatever else agrees, and always one', () => {
    const a = { data: record({ linkedin_url: address('a'), company: 'Acme', location: 'Lyon, France' }) }
    const b = { data: record({ linkedin_url: address('b'), company: 'Acme', location: 'Lyon, France' }) }
    const again = { data: record({ linkedin_url: 'http://de.linkedin.com/in/A/', full_name: 'Jo' }) }
    expect(peopleOf([a, b, again])).to.deep.equal([[a, again], [b]])
  })

  it('that may be of two people are put to neither', () => {
    const a = { data: record({ linkedin_url: address('a'), company: 'Acme' }) }
    const b = { data: record({ linkedin_url: address('b'), past: 'Acme' }) }
    const either = { data: record({ company: 'Acme' }) }
    expect(peopleOf([a, b, either])).to.deep.equal([[a], [b], [either]])
  })

  it('N3 that agree with two whose current employers differ are put to neither, with and without addresses', () => {
    const a = { data: record({ company: 'Acme', school: 'INSA Lyon' }) }
    const b = { data: record({ company: 'Zenith', past: 'Beta' }) }
    const either = { data: record({ school: 'INSA Lyon', past: 'Beta' }) }
    for (const order of [
      [a, b, either],
      [either, b, a],
      [b, either, a],
    ])
      expect(peopleOf(order)).to.deep.equal(order.map((each) => [each]))
    const person = { data: record({ linkedin_url: address('a'), school: 'INSA Lyon', past: 'Beta' }) }
    expect(peopleOf([person, a, b])).to.deep.equal([[person], [a], [b]])
    expect(peopleOf([person, a])).to.deep.equal([[person, a]])
    const other = { data: record({ linkedin_url: address('a'), company: 'Zenith' }) }
    expect(peopleOf([person, other, a])).to.deep.equal([[person, other], [a]])
  })

  it('N3 that are joined by a chain alone whose ends have different current employers stay alone', () => {
    const chain = [
      { data: record({ company: 'Acme', school: 'One' }) },
      { data: record({ school: 'One', past: 'Beta' }) },
      { data: record({ school: 'Two', past: 'Beta' }) },
      { data: record({ company: 'Zenith', school: 'Two' }) },
    ]
    expect(peopleOf(chain)).to.deep.equal(chain.map((each) => [each]))
    expect(peopleOf(chain.slice(0, 3))).to.deep.equal([chain.slice(0, 3)])
  })

  it('is the one asked for by address, or by name with an employer of any time', () => {
    const asked = { linkedin_url: null, first_name: 'John', last_name: 'Smith', company: 'Acme' }
    expect(matchesRequest(record({ past: 'Acme Ltd' }), asked)).to.equal(true)
    expect(matchesRequest(record({ company: 'Zenith' }), asked)).to.equal(false)
    expect(matchesRequest(record({ company: 'Zenith', employers: ['acme.com'] }), { ...asked, company: 'https://www.acme.com/' })).to.equal(
      true,
    )
    expect(matchesRequest(record({ company: 'Acme', full_name: 'Jane Smith' }), asked)).to.equal(false)
    const byAddress = { ...asked, linkedin_url: address('a') }
    expect(matchesRequest(record({ linkedin_url: 'linkedin.com/in/a' }), byAddress)).to.equal(true)
    expect(matchesRequest(record({ linkedin_url: 'linkedin.com/in/b', company: 'Acme' }), byAddress)).to.equal(false)
    expect(matchesRequest(record({ company: 'Acme' }), byAddress)).to.equal(false)
  })

  it('of different people never are together, in any order, and the order changes nothing', () => {
    let seed = 7
    const below = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
    const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length + 1)]
    let together = 0
    for (let round = 0; round < 400; round++) {
      const people = Array.from({ length: 2 + below(3) }, (_, who) => ({
        companies: [`Acme ${who} GmbH`, `Acme ${who}`],
        pasts: [`Beta ${who}`],
        schools: [`School ${who}`],
        places: [`Town ${who}, France`],
        addresses: below(2) === 0 ? [] : [address(`john-smith-${who}`)],
      }))
      const records = Array.from({ length: 3 + below(4) }, (_, id) => {
        const who = below(people.length)
        const { companies = [], pasts = [], schools = [], places = [], addresses = [] } = people[who] ?? {}
        const [company, past, school, location, linkedin] = [pick(companies), pick(pasts), pick(schools), pick(places), pick(addresses)]
        const facts = {
          ...(company === undefined ? {} : { company }),
          ...(past === undefined ? {} : { past }),
          ...(school === undefined ? {} : { school }),
          ...(location === undefined ? {} : { location }),
          ...(linkedin === undefined ? {} : { linkedin_url: linkedin }),
        }
        return { id, who, data: record(facts) }
      })
      const groups = peopleOf(records)
      expect(groups.flat().length).to.equal(records.length)
      for (const group of groups) expect(new Set(group.map(({ who }) => who)).size).to.equal(1)
      together += groups.filter(({ length }) => length > 1).length
      const shuffled = [...records].sort(() => below(3) - 1)
      const ids = (list: typeof groups) =>
        list
          .map((group) =>
            group
              .map(({ id }) => id)
              .sort()
              .join(),
          )
          .sort()
      expect(ids(peopleOf(shuffled))).to.deep.equal(ids(groups))
    }
    expect(together).to.be.greaterThan(300)
  })
})

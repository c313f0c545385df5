import { expect } from 'chai'
import fc from 'fast-check'
import { checkCitations } from '../citations.js'

const source = (...passages: string[]) => ({ passages })

describe('citations: one fact changed', () => {
  const people = ['Anna Example', 'Berta Muster', 'Carla Sample', 'Doris Beispiel', 'Emil Exemplar']
  const firms = ['Globex', 'Initech', 'Umbra Motors', 'Acme Works', 'Vandelay Industries']
  const places = ['Linz', 'Porto', 'Aarhus', 'Gdansk', 'Tampere']
  const facts = fc.record({
    person: fc.nat(4),
    firm: fc.nat(4),
    place: fc.nat(4),
    day: fc.date({ min: new Date('1990-01-01'), max: new Date('2029-12-31'), noInvalidDate: true }),
    count: fc.integer({ min: 11, max: 5_000_000 }),
    share: fc.integer({ min: 1, max: 99 }),
  })
  type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never
  const dated = (language: string, at: Date): string => new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at)
  const page = ({ person, firm, place, day, count, share }: Facts): string =>
    `News. ${firms[firm] ?? ''} opened a works in ${places[place] ?? ''} on ${dated('en-US', day)}. ${people[person] ?? ''}, who runs it, said that ` +
    `${count.toLocaleString('en-US')} pumps a year would be made there. That is ${String(share)}% of the market.`
  const report = ({ person, firm, place, day, count, share }: Facts): string =>
    `The works of ${firms[firm] ?? ''} in ${places[place] ?? ''} has been open since ${dated('en-GB', day)} and makes ${count.toLocaleString('de-DE')} pumps a year, ` +
    `${String(share)} percent of the market, says ${people[person] ?? ''} [Source 2].`
  const changes: Readonly<Record<string, (given: Facts) => Facts>> = {
    person: (given) => ({ ...given, person: (given.person + 1) % 5 }),
    firm: (given) => ({ ...given, firm: (given.firm + 1) % 5 }),
    place: (given) => ({ ...given, place: (given.place + 1) % 5 }),
    day: (given) => ({ ...given, day: new Date(given.day.getTime() + 86_400_000 * 40) }),
    count: (given) => ({ ...given, count: given.count + 7 }),
    share: (given) => ({ ...given, share: given.share + 1 }),
  }

  it('a report of a page holds, whatever its facts', () => {
    fc.assert(
      fc.property(facts, (given) => {
        expect(checkCitations(report(given), [source('Other news.'), source(page(given))])).to.include({ text: report(given), kept: 1 })
      }),
    )
  })

  for (const [name, change] of Object.entries(changes))
    it(`with another ${name} it is struck`, () => {
      fc.assert(
        fc.property(facts, (given) => {
          const { text, struck } = checkCitations(report(change(given)), [source('Other news.'), source(page(given))])
          expect([text, struck.length], JSON.stringify(given)).to.deep.equal(['', 1])
        }),
      )
    })
})

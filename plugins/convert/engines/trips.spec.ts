import { expect } from 'chai'
import { allTrips } from '../../../test/support/conversions/trips/all.js'
import type { Trip } from '../../../test/support/conversions/trips/types.js'
import { ENGINES } from '../pairs/table.js'

const AT_VENDORS: readonly string[] = ['gotenberg', 'cloudconvert', 'convertapi']
const LOCAL = ENGINES.filter(({ vendor }) => !AT_VENDORS.includes(vendor))

/**
 * `npm run bench:formats` runs these conversions with real programs; whether each format is covered is checked
 * without them.
 */
describe('files.convert: a format counts when a file of it is converted', () => {
  let trips: Trip[]

  before(async () => {
    trips = await allTrips()
  })

  for (const { vendor, targets } of LOCAL)
    it(`each source and each target of ${vendor} is on a way, by that engine`, () => {
      const steps = trips.filter(({ engine }) => engine === vendor).flatMap((trip) => trip.steps)
      const [read, written] = [new Set(steps.map(({ from }) => from)), new Set(steps.map(({ to }) => to))]
      expect([...targets.keys()].filter((id) => !read.has(id))).to.deep.equal([])
      expect([...new Set([...targets.values()].flatMap((to) => [...to]))].filter((id) => !written.has(id))).to.deep.equal([])
    })

  it('every step of a way is a pair that its engine lists', () => {
    const listed = ({ engine, steps }: Trip): string[] =>
      steps
        .filter(
          ({ from, to }) =>
            LOCAL.find(({ vendor }) => vendor === engine)
              ?.targets.get(from)
              ?.has(to) !== true,
        )
        .map(({ from, to }) => `${engine} ${from} ${to}`)
    expect(trips.flatMap(listed)).to.deep.equal([])
  })

  it('every file that ends a way is looked at', () => {
    const blind = trips.filter(({ steps }) => steps.at(-1)?.check === undefined)
    expect(blind.map(({ engine, steps }) => `${engine} ${steps.map(({ to }) => to).join(' ')}`)).to.deep.equal([])
  })
})

import { expect } from 'chai'
import { CRASH_POINTS } from '../support/crash-points.js'
import { crashRun } from '../support/crash-run.js'
import { TemporaryFolder } from '../support/store.js'

describe('a gateway on SQLite that is killed', () => {
  let folder: TemporaryFolder
  beforeEach(() => {
    folder = new TemporaryFolder()
  })
  afterEach(() => folder.remove())

  // What comes before a command and what comes after the one before it leave nearly the same; `scripts/crash-points.ts` goes through all.
  for (const point of CRASH_POINTS.filter((one) => !one.startsWith('before')))
    it(`F-31 N-06 ${point}: nobody pays twice or for nothing, and nothing stays held`, async function () {
      this.timeout(60_000)
      const { answers, problems } = await crashRun(folder.path, point, 5)
      expect(problems).to.deep.equal([])
      expect(answers).to.be.greaterThan(0)
    })
})

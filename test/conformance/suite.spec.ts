import { expect } from 'chai'
import { systemClock } from '../../core/runtime/clock.js'
import { runCases, runConformance, summaryLine } from '../../scripts/capstan/kit/conformance/index.js'
import { goodSources, load } from '../support/loader.js'

describe('runConformance', () => {
  it('passes plugins that are as they should be', async () => {
    const suite = await runConformance(await load({ sourceFolder: goodSources }), { clock: systemClock })
    const summary = await runCases(suite.cases)
    await suite.close()
    expect(summary.results.filter(({ state }) => state === 'failed')).to.deep.equal([])
    expect(summaryLine(summary)).to.equal('55 passed, 0 failed, 0 skipped')
  })
})

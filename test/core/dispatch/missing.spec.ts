import { expect } from 'chai'
import { problemFrom } from '../../../core/dispatch/from-error.js'
import { Fault } from '../../../core/sdk/index.js'

describe('problems: what is missing', () => {
  it('is no result, and unavailable where the machine lacks what the operator can install', () => {
    expect(problemFrom(new Fault('missing', 'Nothing was found.'))).to.deep.include({ slug: 'no-result', message: 'Nothing was found.' })
    const lack = problemFrom(new Fault('missing', 'apt-get install ffmpeg', { unavailable: true }))
    expect(lack).to.deep.include({ slug: 'capability-unavailable', message: 'apt-get install ffmpeg' })
  })
})

import { expect } from 'chai'
import { ownShortage } from '../../../core/problems/own-shortage.js'
import { Fault } from '../../../core/sdk/index.js'

const error = (code: string, cause?: unknown): Error => Object.assign(new Error(code, { cause }), { code })

describe('what this machine itself lacks', () => {
  it('is distinguished from what addresses and vendors do, also behind another error', () => {
    for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EAI_AGAIN']) {
      for (const seen of [error(code), new Fault('blocked', 'no name', { cause: error(code) }), error('ECONNABORTED', error(code))])
        expect(ownShortage(seen), code).to.deep.include({ slug: 'overloaded', status: 503 })
    }
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])
      expect(ownShortage(error(code)), code).to.equal(null)
    expect([ownShortage(null), ownShortage('EMFILE'), ownShortage(new Fault('missing', 'none'))]).to.deep.equal([null, null, null])
  })
})

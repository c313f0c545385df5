import { expect } from 'chai'
import { callerNames } from '../../../core/calls/run.js'
import type { Caller } from '../../../core/accounts/caller.js'

function callerOf(account: string, key: string): Pick<Caller, 'account' | 'key'> {
  return { account: { id: account }, key: { id: key } } as unknown as Pick<Caller, 'account' | 'key'>
}

describe('names of callers for plugins', () => {
  it('differ between keys and between accounts, and contain neither id', () => {
    const one = callerNames('instance', callerOf('acc_1', 'key_1'))
    expect(callerNames('instance', callerOf('acc_1', 'key_1'))).to.deep.equal(one)
    const other = callerNames('instance', callerOf('acc_1', 'key_2'))
    expect([other.account === one.account, other.key === one.key]).to.deep.equal([true, false])
    expect(JSON.stringify(one)).not.to.match(/acc_1|key_1/)
  })

  it('are others in every process', () => {
    expect(callerNames('one', callerOf('a', 'k'))).not.to.deep.equal(callerNames('two', callerOf('a', 'k')))
  })
})

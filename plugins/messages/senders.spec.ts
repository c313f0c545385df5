import { expect } from 'chai'
import { accountSenders, maySendFrom, senderOf } from './senders.js'

const ENTRIES = ['acc_1=Acme', 'acc_1=+15005550102', 'acc_2=Acme', 'acc_3=+15005550103']
const of = (account: string) => accountSenders(ENTRIES, (id) => id === account)

describe('senders of messages', () => {
  it('an account with senders of its own has these alone; they may be those of several accounts', () => {
    expect(of('acc_1')).to.deep.equal({ only: ['Acme', '+15005550102'], reserved: ['+15005550103'] })
    expect(of('acc_2')).to.deep.equal({ only: ['Acme'], reserved: ['+15005550102', '+15005550103'] })
  })

  it('any other account has all but the reserved ones', () => {
    const senders = of('default')
    expect(senders.only).to.equal(null)
    expect(['Acme', '+15005550102', '+15005550103', 'Shop'].map((sender) => maySendFrom(sender, senders))).to.deep.equal([
      false,
      false,
      false,
      true,
    ])
  })

  it('a number is reserved whether it is listed with or without its plus', () => {
    expect([maySendFrom('15005550102', of('default')), maySendFrom('15005550102', of('acc_1'))]).to.deep.equal([false, true])
  })

  it('the sender named by the caller comes first, then the one of the country, then the one without a country', () => {
    const senders = ['GB=Acme', '+15005550102', '+15005550103']
    const sender = (from: string | null, country: string, account: string) => senderOf(senders, { from, country, ...of(account) })
    expect(sender(null, 'GB', 'acc_1')).to.equal('Acme')
    expect(sender(null, 'DE', 'acc_1')).to.equal('+15005550102')
    expect(sender('+15005550102', 'GB', 'acc_1')).to.equal('+15005550102')
    expect(sender('+15005550103', 'GB', 'acc_1')).to.equal(null)
    expect([sender(null, 'GB', 'default'), sender(null, 'DE', 'acc_2')]).to.deep.equal([null, null])
    expect(sender(null, 'GB', 'acc_3')).to.equal('+15005550103')
  })
})

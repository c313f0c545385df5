import { expect } from 'chai'
import { Fault } from '../../../core/sdk/index.js'
import { namecheapPrices } from '../providers/namecheap-prices.js'

describe('prices of Namecheap', () => {
  it('nothing of a try goes on behind it: where one of the two lists fails, the other is waited for', async () => {
    const failure = new Fault('broken', 'Out of order.')
    let answer: (text: string) => void = () => undefined
    const late = new Promise<string>((resolve) => (answer = resolve))
    const asked: string[] = []
    const text = ({ query }: { query: Record<string, string> }): Promise<string> => {
      asked.push(query.ActionName ?? '')
      return query.ActionName === 'REGISTER' ? Promise.reject(failure) : late
    }
    const context = { api: { text }, settings: { client_ip: '192.0.2.1' }, work: () => Promise.resolve({ understood: true, products: [] }) }
    let ended = false
    const { run } = namecheapPrices as unknown as { run: (input: object, context: object) => Promise<unknown> }
    const fault = run({ tlds: [] }, context).then(
      () => null,
      (error: unknown) => error,
    )
    void fault.then(() => (ended = true))
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    expect([ended, asked]).to.deep.equal([false, ['REGISTER', 'RENEW']])
    answer('<ApiResponse/>')
    expect(await fault).to.equal(failure)
  })
})

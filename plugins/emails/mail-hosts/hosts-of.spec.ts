import { expect } from 'chai'
import type { DnsAnswer, DnsType, NetServices } from '../../../core/sdk/index.js'
import { answerOf } from '../../../core/sdk/index.js'
import { mailHostsOf } from './hosts-of.js'

describe('emails: hosts that take mail', () => {
  const unused = (): never => expect.fail('only records are asked for')
  /** A name server with these MX records. */
  const netOf = (records: readonly { preference: number; exchange: string }[]): { net: NetServices } => {
    const query = <T extends DnsType>(name: string, type: T): Promise<DnsAnswer<T>> =>
      Promise.resolve(
        answerOf({
          status: 'NOERROR',
          ad: false,
          aliases: [],
          records: type === 'MX' ? records.map((data) => ({ name, ttl: 300, data })) : [],
        }),
      )
    return { net: { dns: unused, tls: unused, inspectTls: unused, connect: unused, query } }
  }

  it('of 4,000 records the ten that are preferred, each once', async () => {
    const records = Array.from({ length: 4_000 }, (_, place) => ({
      preference: 4_000 - Math.floor(place / 2),
      exchange: `MX${String(Math.floor(place / 2))}.test.`,
    }))
    const { state, hosts } = await mailHostsOf('acme.test', netOf(records))
    expect(state).to.equal('mx')
    expect(hosts).to.deep.equal(Array.from({ length: 10 }, (_, place) => `mx${String(1_999 - place)}.test`))
  })

  it('a null MX takes no mail, beside others it does not count', async () => {
    expect(await mailHostsOf('acme.test', netOf([{ preference: 0, exchange: '.' }]))).to.deep.equal({ state: 'null-mx', hosts: [] })
    const both = netOf([
      { preference: 0, exchange: '' },
      { preference: 5, exchange: 'mx.test' },
    ])
    expect(await mailHostsOf('acme.test', both)).to.deep.equal({ state: 'mx', hosts: ['mx.test'] })
    expect(await mailHostsOf('acme.test', netOf([]))).to.deep.equal({ state: 'none', hosts: [] })
  })
})

import { expect } from 'chai'
import { Fault, type HandlerContext } from '../../core/sdk/index.js'
import { once, Parts } from './parts-of-call.js'

const context = {
  aside: async (task: (side: unknown) => Promise<unknown>) => await task({ signal: new AbortController().signal }).catch(() => null),
} as unknown as HandlerContext

/** The reason when the parts fail with these Faults. */
async function reasonOf(faults: Readonly<Record<string, Fault>>): Promise<string> {
  const parts = new Parts(context)
  for (const [about, fault] of Object.entries(faults)) expect(await parts.ask(about, 1_000, () => Promise.reject(fault))).to.equal(null)
  return parts.reason().message
}

describe('sites: why nothing was found', () => {
  const silent = new Fault('blocked', 'silent', { unavailable: true })
  const refused = new Fault('blocked', 'refused')
  const nobody = new Fault('missing', 'nobody can tell')
  const unregistered = new Fault('missing', 'not registered', { final: true })
  const unknown = new Fault('missing', 'not in DNS')

  it('what is refused says most, then what does not exist, then what did not answer', async () => {
    expect(await reasonOf({ whois: unregistered, dns: unknown, ssl: refused })).to.equal('refused')
    expect(await reasonOf({ ssl: silent, whois: nobody, dns: unknown })).to.equal('not in DNS')
    expect(await reasonOf({ dns: silent, whois: unregistered })).to.equal('not registered')
    expect(await reasonOf({ whois: nobody, dns: silent })).to.equal('silent')
    expect(await reasonOf({ whois: nobody })).to.equal('nobody can tell')
    expect(await reasonOf({})).to.equal('Nothing about the domain answered in time.')
  })

  it('work for several is done once', async () => {
    let count = 0
    const work = once(() => Promise.resolve(++count))
    expect(await Promise.all([work(), work()])).to.deep.equal([1, 1])
  })
})

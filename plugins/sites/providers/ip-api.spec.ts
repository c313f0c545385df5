import { expect } from 'chai'
import sinon from 'sinon'
import { Fault, runProvider, type Call, type ProviderContext } from '../../../core/sdk/index.js'
import { ipApi } from './ip-api.js'

const FOUND = { status: 'success', as: 'AS64500 Example Networks' }

/** The free host, with these response headers in order. */
function world(replies: readonly Readonly<Record<string, string>>[]) {
  const asked: Call[] = []
  const taken: unknown[][] = []
  const opened = new Map<unknown, unknown>()
  const context = {
    secret: () => '',
    use: (resource: { open: () => Promise<unknown> }) => {
      if (!opened.has(resource)) opened.set(resource, resource.open())
      return opened.get(resource)
    },
    caps: { take: (...cap: unknown[]) => Promise.resolve(taken.push(cap)) },
    api: {
      bytes: (call: Call) => {
        asked.push(call)
        return Promise.resolve({ headers: replies[asked.length - 1] ?? {}, bytes: Buffer.from(JSON.stringify(FOUND)) })
      },
    },
  } as unknown as ProviderContext
  const ask = () => runProvider(ipApi, { ip: '203.0.113.10' }, context)
  return { ask, asked, taken }
}

async function fault(work: Promise<unknown>): Promise<Fault> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!Fault.is(error)) throw new Error(`no Fault but ${String(error)}`)
  return error
}

describe('sites: ip-api without a key', () => {
  let clock: sinon.SinonFakeTimers
  beforeEach(() => (clock = sinon.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] })))
  afterEach(() => clock.restore())

  it('is the free host, asked 45 times a minute at most by all callers together', async () => {
    const { ask, asked, taken } = world([{ 'x-rl': '44', 'x-ttl': '60' }])
    expect(await ask()).to.include({ asn: 64500, asn_org: 'Example Networks' })
    expect(asked.map(({ host, path, query }) => [host, path, Object.keys(query ?? {})])).to.deep.equal([
      [undefined, '/json/203.0.113.10', ['fields']],
    ])
    expect(taken).to.deep.equal([['ip_api_requests', { most: 45, per: 60, of: 'gateway' }]])
  })

  it('is not asked again until its window ends when it says that no request is left', async () => {
    const { ask, asked } = world([{ 'x-rl': '0', 'x-ttl': '20' }])
    expect(await ask()).to.include({ asn: 64500 })
    expect(await fault(ask())).to.include({ kind: 'busy', retryAfterSeconds: 20 })
    clock.tick(19_000)
    expect(await fault(ask())).to.include({ kind: 'busy', retryAfterSeconds: 1 })
    expect(asked).to.have.length(1)
    clock.tick(1_000)
    expect(await ask()).to.include({ asn: 64500 })
    expect(asked).to.have.length(2)
  })
})

import { expect } from 'chai'
import type { Registry } from '../../core/loader/types.js'
import { call, eventually, Site, type Replica } from '../support/replicas.js'
import { saying } from '../support/unit.js'
import { scriptedRegistry } from '../support/test-plugin.js'

/** A registry whose providers can be put in order, whole lists only. */
function orderable(registry: Registry): Registry {
  return {
    ...registry,
    withOrders: (orders) => {
      const ports = [...registry.ports].map(([id, port]) => {
        const order = orders.get(id)
        if (order === undefined) return [id, port] as const
        const providers = order.flatMap((vendor) => port.all.filter((provider) => provider.vendor.id === vendor))
        return [id, { ...port, providers }] as const
      })
      return { ...registry, ports: new Map(ports) }
    },
  }
}

/** Time within which every replica applies a change: settings are checked every two seconds. */
const CHECK_MS = 2_000

describe('configuration and plugins of several replicas', function () {
  this.timeout(60_000)
  const site = new Site()
  /** What the replicas find when they read their plugins. */
  let vendors: string[]
  let loads: number[]
  let failing: Set<number>
  let replicas: Replica[]
  let key: string
  before(async function () {
    await site.open(this)
  })
  beforeEach(async () => {
    await site.empty()
    vendors = ['one', 'two']
    loads = []
    failing = new Set()
    replicas = []
    for (let index = 0; index < 4; index++) replicas.push(await start(index))
    key = (await at(0).newKey()).key
  })
  afterEach(() => site.end())
  after(() => site.close())

  const start = (index: number): Promise<Replica> => {
    loads[index] = 0
    const load = async (): Promise<Registry> => {
      loads[index] = (loads[index] ?? 0) + 1
      if (failing.has(index)) throw new Error('line 3 of a plugin')
      return orderable(scriptedRegistry({ 'test.echo': vendors.map((vendor) => ({ vendor, run: saying(vendor) })) }))
    }
    return site.replica({ overrides: { load } })
  }
  const at = (index: number): Replica => replicas[index] ?? expect.fail('no replica')
  const answers = async (): Promise<(string | null)[]> =>
    await Promise.all(replicas.map(async (replica) => (await call(replica, key)).json().metadata.provider_used))
  const all = (vendor: string): string[] => replicas.map(() => vendor)
  /** A check takes the real time of the store, on which the clocks have no effect. */
  const comesAbout = (vendor: string): Promise<void> =>
    eventually(async () => (await answers()).join() === all(vendor).join(), `${vendor} on all replicas`)

  it('a reload requested from one is done there at once and by all others within two seconds, each once', async () => {
    expect(await answers()).to.deep.equal(all('one'))
    vendors = ['three']
    const reply = await at(2).admin('POST', '/admin/v1/reload')
    expect(reply.status, reply.text).to.equal(200)
    expect(await answers()).to.deep.equal(['one', 'one', 'three', 'one'])
    await site.pass(CHECK_MS)
    await comesAbout('three')
    await site.pass(5 * CHECK_MS, CHECK_MS)
    await site.flush()
    expect(loads).to.deep.equal([2, 2, 2, 2])
  })

  it('one whose own reload fails keeps what it has and goes on serving; the next reload mends it', async () => {
    failing.add(3)
    vendors = ['three']
    expect((await at(0).admin('POST', '/admin/v1/reload')).status).to.equal(200)
    await site.pass(CHECK_MS)
    await eventually(async () => (await answers()).join() === 'three,three,three,one', 'all but the one that cannot')
    failing.clear()
    expect((await at(1).admin('POST', '/admin/v1/reload')).status).to.equal(200)
    await site.pass(CHECK_MS)
    await comesAbout('three')
  })

  it('a reload that fails where it is requested is 409 there and changes nothing anywhere', async () => {
    failing.add(0)
    vendors = ['three']
    expect((await at(0).admin('POST', '/admin/v1/reload')).status).to.equal(409)
    await site.pass(3 * CHECK_MS, CHECK_MS)
    expect(await answers()).to.deep.equal(all('one'))
    expect(loads).to.deep.equal([2, 1, 1, 1])
  })

  it('an order of a waterfall put by one is in force on all within two seconds, outlives a reload and a start, and is dropped on all', async () => {
    const put = await at(1).admin('PUT', '/admin/v1/waterfall/test.echo', { order: ['two', 'one'] })
    expect(put.status, put.text).to.equal(200)
    expect(await answers()).to.deep.equal(['one', 'two', 'one', 'one'])
    await site.pass(CHECK_MS)
    await comesAbout('two')
    expect((await at(0).admin('POST', '/admin/v1/reload')).status).to.equal(200)
    await site.pass(CHECK_MS)
    await eventually(() => loads.every((count) => count === 2), 'a reload of all')
    expect(await answers()).to.deep.equal(all('two'))
    replicas.push(await start(4))
    expect(await answers(), 'one that starts later').to.deep.equal(all('two'))
    expect((await at(4).admin('DELETE', '/admin/v1/waterfall/test.echo')).status).to.equal(200)
    await site.pass(CHECK_MS)
    await comesAbout('one')
  })

  it('orders put by two replicas at the same moment end up the same on all', async () => {
    const put = (replica: Replica, order: string[]) => replica.admin('PUT', '/admin/v1/waterfall/test.echo', { order })
    await Promise.all([put(at(0), ['two']), put(at(3), ['one']), put(at(1), ['two', 'one'])])
    await site.pass(CHECK_MS)
    await eventually(async () => new Set(await answers()).size === 1, 'one order on all')
    const [winner] = await site.documents('settings')
    const order = Object.values(winner?.values as Record<string, string>).find((value) => /^(one|two)(,|$)/.test(value))
    expect(await answers()).to.deep.equal(all(order?.split(',')[0] ?? ''))
  })
})

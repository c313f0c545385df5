import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { StoreUnavailable } from '../../../core/store/types.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'
import { saying } from '../../support/unit.js'

interface Providers {
  readonly ports: {
    readonly id: string
    readonly providers: { readonly id: string; readonly suspended: { readonly why: string } | null }[]
  }[]
  readonly unknown: unknown[]
}

describe('providers an operator suspends', () => {
  let folder: string
  let gateway: TestGateway
  const start = async (...vendors: string[]) => {
    gateway = await startGateway({ folder, script: { 'test.echo': vendors.map((vendor) => ({ vendor, run: saying(vendor) })) } })
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-test-'))
    await start('one', 'two')
  })
  afterEach(async () => {
    await gateway.close()
    await rm(folder, { recursive: true, force: true })
  })
  const change = (vendor: string, action: 'suspend' | 'resume') =>
    gateway.admin('POST', `/admin/v1/providers/test.echo/${vendor}/${action}`, action === 'suspend' ? { reason: 'maintenance' } : undefined)
  const providers = async () => (await gateway.admin('GET', '/admin/v1/providers')).json<Providers>()
  const why = async (vendor: string) => {
    const { ports } = await providers()
    return ports.find(({ id }) => id === 'test.echo')?.providers.find(({ id }) => id === vendor)?.suspended?.why
  }

  it('stay out over a restart, until they are resumed', async () => {
    expect((await change('one', 'suspend')).status).to.equal(200)
    await gateway.close()
    await start('one', 'two')
    expect(await why('one')).to.equal('maintenance')
    expect((await change('one', 'resume')).status).to.equal(200)
    await gateway.close()
    await start('one', 'two')
    expect([await why('one'), (await providers()).unknown]).to.deep.equal([undefined, []])
  })

  it('whose plugin is gone harm nobody, are listed and can be resumed', async () => {
    await change('one', 'suspend')
    await gateway.close()
    await start('two')
    expect((await providers()).unknown).to.deep.equal([
      { port: 'test.echo', id: 'one', suspended: { why: 'maintenance', until: null, manual: true } },
    ])
    expectProblem(await change('one', 'suspend'), 'not-found')
    expect((await change('one', 'resume')).status).to.equal(200)
    expect((await providers()).unknown).to.deep.equal([])
    expectProblem(await change('one', 'resume'), 'not-found')
  })

  it('are as before where the database does not take the change: 503', async () => {
    const { settings } = gateway.app.services.store
    const [put, remove] = [settings.put.bind(settings), settings.delete.bind(settings)]
    settings.put = () => Promise.reject(new StoreUnavailable('The database does not answer.'))
    expectProblem(await change('one', 'suspend'), 'store-unavailable')
    expect(await why('one')).to.equal(undefined)
    settings.put = put
    await change('one', 'suspend')
    settings.delete = () => Promise.reject(new StoreUnavailable('The database does not answer.'))
    expectProblem(await change('one', 'resume'), 'store-unavailable')
    expect(await why('one')).to.equal('maintenance')
    settings.delete = remove
  })
})

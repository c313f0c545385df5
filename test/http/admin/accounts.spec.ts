import { expect } from 'chai'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { OpenApiChecker } from '../../support/openapi.js'
import { expectProblem } from '../../support/problem.js'
import { Stage } from '../../support/stage.js'

interface Audit {
  readonly entries: {
    readonly action: string
    readonly target: string
    readonly actor: string
    readonly detail: Record<string, unknown>
    readonly at: string
  }[]
}

describe('the admin API', () => {
  const stage = new Stage()
  let gateway: TestGateway
  let checker: OpenApiChecker
  before(async () => {
    gateway = await startGateway({
      script: { 'test.echo': [stage.vendor('one'), stage.vendor('two')] },
      env: { CAPSTAN_LIMIT_FAILED_LOGINS: '1000' },
    })
    checker = await OpenApiChecker.of(gateway)
  })
  after(async () => await gateway.close())
  const admin = async (method: string, path: string, body?: unknown) => {
    const reply = await gateway.admin(method, `/admin/v1${path}`, body)
    expect(checker.faults(method, `/admin/v1${path}`, reply)).to.deep.equal([])
    return reply
  }
  const lastAudit = async () => (await admin('GET', '/audit?limit=1')).json<Audit>().entries[0]

  it('T-11 is closed to everyone else: no token, a wrong one, an API key', async () => {
    const routes = Object.entries(checker.document.paths).filter(([path]) => path.startsWith('/admin/'))
    expect(routes.length).to.be.at.least(13)
    for (const [path, methods] of routes)
      for (const method of Object.keys(methods)) {
        const at = path.replaceAll(/\{\w+\}/g, 'x')
        expectProblem(await gateway.send(at, { method: method.toUpperCase(), key: null }), 'authentication-required')
      }
    expectProblem(await gateway.send('/admin/v1/accounts', { key: gateway.key }), 'invalid-api-key')
    expectProblem(await gateway.send('/admin/v1/accounts', { key: `${gateway.adminToken}x` }), 'invalid-api-key')
  })

  it('makes, lists, shows and changes accounts, each change an audit entry', async () => {
    const made = (await admin('POST', '/accounts', { name: 'Grace Example', credits: 12.5 })).json<{ id: string }>()
    expect(made).to.include({ name: 'Grace Example', balance: 12.5 })
    expect((await admin('POST', '/accounts', { name: 'Without', credits: null })).json()).to.include({ name: 'Without', balance: 0 })
    const { accounts } = (await admin('GET', '/accounts')).json<{ accounts: Record<string, unknown>[] }>()
    expect(accounts).to.deep.include({ id: made.id, name: 'Grace Example', balance: 12.5, held: 0, available: 12.5 })
    const change = { overage_limit: 5, concurrency: 2, name: 'Grace Sample' }
    expect((await admin('PATCH', `/accounts/${made.id}`, change)).json()).to.deep.include({ ...change, available: 17.5, disabled: false })
    expect(await lastAudit()).to.deep.include({ actor: 'admin', action: 'account.change', target: made.id, detail: change })
    expect((await admin('GET', `/accounts/${made.id}`)).json()).to.deep.include({ overage_limit: 5, balance: 12.5 })
  })

  it('T-64 refuses amounts that are none, and leaves nothing behind', async () => {
    const count = async () => (await admin('GET', '/accounts?limit=1000')).json<{ accounts: unknown[] }>().accounts.length
    const before = await count()
    for (const credits of [-1, 0.0001, 1e10, '1'])
      expectProblem(await admin('POST', '/accounts', { name: 'x', credits }), 'validation-failed')
    expect(await count()).to.equal(before)
    for (const amount of [0, 0.0005, 1e12, 'x', null])
      expectProblem(await admin('POST', '/accounts/default/grants', { amount, ref: 'bad' }), 'validation-failed')
    for (const ref of ['', 'a b', 'x'.repeat(201), 5])
      expectProblem(await admin('POST', '/accounts/default/grants', { amount: 1, ref }), 'validation-failed')
  })

  it('grants once for each reference; another amount under it is a conflict; a correction cannot take what is not there', async () => {
    const { id } = await gateway.newAccount(1)
    const grant = (amount: number, ref: string) => admin('POST', `/accounts/${id}/grants`, { amount, ref })
    expect((await grant(10, 'june')).json()).to.deep.equal({ account: id, ref: 'june', balance: 11, applied: true })
    expect((await grant(10, 'june')).json()).to.deep.equal({ account: id, ref: 'june', balance: 11, applied: false })
    expectProblem(await grant(11, 'june'), 'conflict')
    expect((await grant(-4, 'correction')).json()).to.include({ balance: 7 })
    expectProblem(await grant(-8, 'too much'.replace(' ', '-')), 'conflict')
    const racing = await Promise.all(Array.from({ length: 10 }, () => grant(5, 'race')))
    expect(racing.filter((reply) => reply.json<{ applied: boolean }>().applied)).to.have.length(1)
    expect((await gateway.money(id)).balance).to.equal(12)
  })

  it('overage lets an account go below zero as far as it says, and cannot be lowered below what is used', async () => {
    const { id, key } = await gateway.newAccount(0)
    const use = () => gateway.send('/v1/test/echo', { body: { text: 'hi' }, key })
    expect((await use()).status).to.equal(402)
    await admin('PATCH', `/accounts/${id}`, { overage_limit: 1 })
    expect((await use()).status).to.equal(200)
    expect((await use()).status).to.equal(402)
    expect(await gateway.money(id)).to.deep.equal({ balance: -1, held: 0, available: 0 })
    expectProblem(await admin('PATCH', `/accounts/${id}`, { overage_limit: 0.5 }), 'conflict')
  })

  it('makes, lists and revokes keys of an account; foreign and unknown are 404', async () => {
    const { id } = await gateway.newAccount(5)
    const made = (await admin('POST', `/accounts/${id}/keys`, { name: 'made by admin', scopes: ['test.echo'] })).json<{
      id: string
      key: string
    }>()
    expect(await lastAudit()).to.deep.include({ action: 'key.create', target: id, detail: { key_id: made.id } })
    expect((await admin('GET', `/accounts/${id}/keys`)).text)
      .to.contain(made.id)
      .and.not.contain(made.key)
    expectProblem(await admin('DELETE', `/accounts/default/keys/${made.id}`), 'not-found')
    expect((await admin('DELETE', `/accounts/${id}/keys/${made.id}`)).status).to.equal(200)
    expectProblem(await gateway.send('/v1/account', { key: made.key }), 'invalid-api-key')
    for (const [method, path, body] of [
      ['GET', '/accounts/none'],
      ['PATCH', '/accounts/none', { disabled: true }],
      ['POST', '/accounts/none/grants', { amount: 1, ref: 'r' }],
      ['GET', '/accounts/none/keys'],
      ['POST', '/accounts/none/keys', {}],
      ['DELETE', '/accounts/none/keys/x'],
    ] as const)
      expectProblem(await admin(method, path, body), 'not-found')
  })

  it('sets and drops the order of a port', async () => {
    const used = async () => (await gateway.post('/v1/test/echo', { text: 'hi' })).json().metadata.provider_used
    expect(await used()).to.equal('one')
    const put = await admin('PUT', '/waterfall/test.echo', { order: ['two', 'one'] })
    expect(put.status, put.text).to.equal(200)
    expect(await lastAudit()).to.deep.include({ action: 'waterfall.put', target: 'test.echo', detail: { order: ['two', 'one'] } })
    expect((await admin('DELETE', '/waterfall/test.echo')).status).to.equal(200)
    expectProblem(await admin('DELETE', '/waterfall/test.echo'), 'not-found')
    expectProblem(await admin('PUT', '/waterfall/test.nothing', { order: ['one'] }), 'not-found')
    expectProblem(await admin('PUT', '/waterfall/test.echo', { order: ['three'] }), 'validation-failed')
    expectProblem(await admin('PUT', '/waterfall/test.echo', { order: [] }), 'validation-failed')
  })

  it('suspends a provider until it is resumed, and shows it', async () => {
    const call = async () => (await gateway.post('/v1/test/echo', { text: 'hi' })).json().metadata
    expect((await admin('POST', '/providers/test.echo/one/suspend', { reason: 'maintenance' })).json()).to.deep.equal({ success: true })
    const meta = await call()
    expect(meta.provider_used).to.equal('two')
    expect(meta.attempts[0]).to.deep.include({ provider: 'one', outcome: 'skipped' })
    expect(meta.providers_tried).to.deep.equal(['two'])
    expect((await admin('GET', '/providers')).text).to.contain('maintenance')
    expect((await admin('POST', '/providers/test.echo/one/resume')).status).to.equal(200)
    expect((await call()).provider_used).to.equal('one')
    expect(await lastAudit()).to.include({ action: 'provider.resume', target: 'test.echo/one' })
    expectProblem(await admin('POST', '/providers/test.echo/nobody/suspend'), 'not-found')
  })

  it('every change by an operator is one audit entry, and what changes nothing is none', async () => {
    const total = async () => (await admin('GET', '/audit?limit=200')).json<Audit>().entries.length
    const { id } = (await admin('POST', '/accounts', { name: 'Ada Sample', credits: 3 })).json<{ id: string }>()
    const created = (await admin('GET', '/audit?limit=2')).json<Audit>().entries
    expect(created.map(({ action, target, detail }) => [action, target, detail])).to.deep.equal([
      ['credits.grant', id, { amount: 3, ref: 'opening-balance' }],
      ['account.create', id, { name: 'Ada Sample', credits: 3 }],
    ])
    const changes: [string, string, unknown, string][] = [
      ['PATCH', `/accounts/${id}`, { disabled: true }, 'account.change'],
      ['POST', `/accounts/${id}/grants`, { amount: 2, ref: 'july', note: 'a present' }, 'credits.grant'],
      ['POST', `/accounts/${id}/grants`, { amount: -1, ref: 'back' }, 'credits.adjust'],
      ['POST', '/providers/test.echo/two/suspend', { reason: 'costs too much' }, 'provider.suspend'],
      ['POST', '/providers/test.echo/two/resume', undefined, 'provider.resume'],
      ['PUT', '/waterfall/test.echo', { order: ['two', 'one'] }, 'waterfall.put'],
      ['DELETE', '/waterfall/test.echo', undefined, 'waterfall.delete'],
      ['POST', '/reload', undefined, 'reload'],
    ]
    for (const [method, path, body, action] of changes) {
      const before = await total()
      expect((await admin(method, path, body)).status, path).to.equal(200)
      expect(await total(), path).to.equal(before + 1)
      expect((await lastAudit())?.action, path).to.equal(action)
    }
    const before = await total()
    const { id: key } = (await admin('POST', `/accounts/${id}/keys`, {})).json<{ id: string }>()
    expect(await lastAudit()).to.deep.include({ actor: 'admin', action: 'key.create', target: id, detail: { key_id: key } })
    await admin('DELETE', `/accounts/${id}/keys/${key}`)
    expect(await lastAudit()).to.deep.include({ actor: 'admin', action: 'key.revoke', target: id, detail: { key_id: key } })
    expect(await total()).to.equal(before + 2)
    // Given before, and refused.
    await admin('POST', `/accounts/${id}/grants`, { amount: 2, ref: 'july' })
    await admin('POST', `/accounts/${id}/grants`, { amount: 5, ref: 'july' })
    expect(await total()).to.equal(before + 2)
  })

  it('reload, usage and the check of the ledger', async () => {
    expect((await admin('POST', '/reload')).json()).to.include({ success: true })
    const usage = (await admin('GET', '/usage?days=1')).json<{ totals: { calls: number } }>()
    expect(usage.totals.calls).to.be.above(0)
    expect((await admin('GET', '/usage?account=default')).json<{ totals: { calls: number } }>().totals.calls).to.be.at.least(0)
    expectProblem(await admin('GET', '/usage?account=none'), 'validation-failed')
    expect((await admin('GET', '/ledger/check')).json()).to.deep.include({ ok: true, problems: [] })
    expectProblem(await admin('GET', '/usage?days=0'), 'validation-failed')
    expectProblem(await admin('GET', '/audit?limit=0'), 'validation-failed')
  })
})

import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { cliBench, type CliBench } from '../../support/cli.js'

const GRANT = ['credits', 'grant', '--account', 'default', '--amount', '10.5', '--ref', 'r1', '--json']

describe('capstan: accounts, credits, keys, ledger, backup', () => {
  let bench: CliBench
  beforeEach(async () => {
    bench = cliBench()
    expect((await bench.run('accounts', 'create', '--name', 'default', '--credits', '100', '--json')).json()).to.include({
      name: 'default',
      balance: 100,
    })
  })
  afterEach(() => bench.done())

  it('accounts list answers balances in credits', async () => {
    const { accounts } = (await bench.run('accounts', 'list', '--json')).json() as { accounts: object[] }
    expect(accounts).to.have.length(1)
    expect(accounts[0])
      .to.include({ name: 'default', balance: 100, held: 0, available: 100 })
      .and.to.have.all.keys('id', 'name', 'balance', 'held', 'available')
  })

  it('accounts create refuses a name that is taken', async () => {
    expect((await bench.run('accounts', 'create', '--name', 'default')).code).to.equal(1)
  })

  it('accounts show finds an account by name and by id, and names the nearest', async () => {
    const { id } = (await bench.run('accounts', 'show', 'default', '--json')).json() as { id: string }
    expect((await bench.run('accounts', 'show', id, '--json')).json()).to.include({ id, name: 'default', disabled: false })
    const missing = await bench.run('accounts', 'show', 'defualt')
    expect(missing.code).to.equal(1)
    expect(missing.err).to.contain('did you mean default?')
  })

  it('credits grant applies a reference once', async () => {
    expect((await bench.run(...GRANT)).json()).to.include({ ref: 'r1', balance: 110.5, applied: true })
    expect((await bench.run(...GRANT)).json()).to.include({ balance: 110.5, applied: false })
  })

  it('credits grant refuses a used reference with another amount', async () => {
    await bench.run(...GRANT)
    const again = await bench.run(...GRANT.map((word) => (word === '10.5' ? '11' : word)))
    expect(again.code).to.equal(1)
    expect(again.json()).to.have.property('error').that.contains('r1')
  })

  for (const amount of ['0', '-5', 'NaN', '1.2345', '1e3', '99999999999']) {
    it(`T-64 credits grant --amount ${amount} is wrong usage`, async () => {
      expect((await bench.run('credits', 'grant', '--account', 'default', `--amount=${amount}`, '--ref', 'x')).code).to.equal(2)
    })
  }

  it('keys create answers the key once, keys list never does', async () => {
    const created = (
      await bench.run(
        'keys',
        'create',
        '--account',
        'default',
        '--name',
        'laptop',
        '--rate-limit',
        '5',
        '--credit-limit',
        '7.5',
        '--expires-in-days',
        '3',
        '--json',
      )
    ).json() as { id: string; key: string }
    expect(created).to.include({ name: 'laptop', rate_limit_per_minute: 5, credit_limit: 7.5 })
    expect(created.key).to.match(/^cap_\w{49}$/)
    const list = await bench.run('keys', 'list', '--account', 'default', '--json')
    expect((list.json() as { keys: object[] }).keys).to.have.length(1)
    expect(list.out).to.contain(created.id).and.not.to.contain(created.key)
  })

  it('keys revoke and rotate find the account by themselves', async () => {
    const { id } = (await bench.run('keys', 'create', '--account', 'default', '--json')).json() as { id: string }
    const rotated = (await bench.run('keys', 'rotate', id, '--json')).json() as { id: string }
    expect(rotated.id).not.to.equal(id)
    expect((await bench.run('keys', 'revoke', rotated.id, '--json')).json()).to.include({ id: rotated.id, revoked: true })
    expect((await bench.run('keys', 'list', '--json')).json()).to.deep.equal({ keys: [] })
    expect((await bench.run('keys', 'revoke', 'key_none')).code).to.equal(1)
  })

  it('ledger check is in order, and ends with 1 when a balance was changed behind its back', async () => {
    expect((await bench.run('ledger', 'check', '--json')).json()).to.deep.equal({ ok: true, accounts: 1, entries: 1, problems: [] })
    const db = new DatabaseSync(join(bench.folder, 'data', 'capstan.db'))
    db.exec('update accounts set bal = bal + 1000')
    db.close()
    const broken = await bench.run('ledger', 'check', '--json')
    expect(broken.code).to.equal(1)
    expect(broken.json()).to.include({ ok: false }).and.to.have.property('problems').that.is.not.empty
  })

  it('ledger export writes every entry as a line of JSON, over several pages', async () => {
    const { id } = (await bench.run('accounts', 'show', 'default', '--json')).json() as { id: string }
    await bench.run(...GRANT)
    const lines = (await bench.run('ledger', 'export', '--account', 'default')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ account, seq, kind, amount, after }) => ({ account, seq, kind, amount, after }))).to.deep.equal([
      { account: id, seq: 1, kind: 'grant', amount: 100, after: 100 },
      { account: id, seq: 2, kind: 'grant', amount: 10.5, after: 110.5 },
    ])
    expect(lines[0]).to.have.all.keys(
      'account',
      'seq',
      'kind',
      'ref',
      'amount',
      'after',
      'at',
      'request_id',
      'capability',
      'endpoint',
      'key_id',
    )
  })

  it('ledger export --format csv quotes cells and disarms formulas', async () => {
    await bench.run('credits', 'grant', '--account', 'default', '--amount', '1', '--ref', '=1+1,"x"')
    const { out } = await bench.run('ledger', 'export', '--format', 'csv')
    expect(out.split('\r\n')[0]).to.equal('account,seq,kind,ref,amount,after,at,request_id,capability,endpoint,key_id')
    expect(out).to.contain(`"'=1+1,""x"""`)
    expect(out).not.to.contain('op:')
    expect((await bench.run('ledger', 'export', '--format', 'xml')).code).to.equal(2)
  })

  it('backup writes a copy that is a whole ledger', async () => {
    const { file, bytes } = (await bench.run('backup', 'copy.db', '--json')).json() as { file: string; bytes: number }
    expect(existsSync(file)).to.equal(true)
    expect(bytes).to.be.greaterThan(0)
    const copy = cliBench({ env: { CAPSTAN_STORE: `sqlite:${file}` } })
    expect((await copy.run('ledger', 'check', '--json')).json()).to.include({ ok: true, entries: 1 })
    copy.done()
  })
})

import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { realParts } from '../../../scripts/capstan/cli/parts.js'
import { loadConfig } from '../../../core/config/load.js'
import { packageRoot } from '../../../core/runtime/root.js'
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

  it('lists are tables on a terminal, as wide as it is, and JSON in a pipe', async () => {
    await bench.run('keys', 'create', '--account', 'default', '--name', 'a label of several words for a laptop')
    const env = { CAPSTAN_DATA: join(bench.folder, 'data') }
    const [pipe, narrow] = [cliBench({ columns: null, env }), cliBench({ columns: 100, env })]
    for (const [words, field] of [
      [['accounts', 'list'], 'accounts'],
      [['keys', 'list'], 'keys'],
      [['waterfall', 'show'], 'ports'],
      [['providers', 'list'], 'ports'],
      [['plugin', 'list'], 'plugins'],
    ] as const) {
      const listed = await pipe.run(...words)
      expect(listed.code, listed.err).to.equal(0)
      expect(listed.json(), words.join(' ')).to.have.property(field).that.is.an('array')
      expect((await pipe.run(...words, '--json')).out, words.join(' ')).to.equal(listed.out)
    }
    const { out } = await narrow.run('keys', 'list')
    expect(out)
      .to.match(/^id +key_\S+$/m)
      .and.to.match(/^name +a label of several words for a laptop$/m)
    expect(out.split('\n').filter((line) => line.length > 100)).to.deep.equal([])
    for (const each of [pipe, narrow]) each.done()
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

  it('credits adjust takes back once for each reference, and is an entry and an audit entry', async () => {
    const adjust = ['credits', 'adjust', '--account', 'default', '--amount', '40', '--ref', 'ticket-1', '--note', 'granted twice', '--json']
    expect((await bench.run(...adjust)).json()).to.include({ ref: 'ticket-1', balance: 60, applied: true })
    expect((await bench.run(...adjust)).json()).to.include({ balance: 60, applied: false })
    const other = await bench.run(...adjust.map((word) => (word === '40' ? '41' : word)))
    expect(other).to.include({
      code: 1,
      err: 'error: --ref ticket-1 was already used for another amount or kind; use a new reference\n',
    })
    const lines = (await bench.run('ledger', 'export')).out.trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).to.include({ kind: 'adjust', ref: 'ticket-1', amount: -40, after: 60 })
    expect((await bench.run('ledger', 'check', '--json')).json()).to.include({ ok: true, entries: 2 })
    const db = new DatabaseSync(join(bench.folder, 'data', 'capstan.db'))
    const audited = db.prepare('select actor, action, detail from audit order by id').all() as Record<string, unknown>[]
    db.close()
    expect(audited.map(({ actor, action, detail }): unknown[] => [actor, action, JSON.parse(String(detail)) as unknown])).to.deep.equal([
      ['cli', 'account.create', { name: 'default' }],
      ['cli', 'credits.adjust', { amount: -40, ref: 'ticket-1' }],
    ])
  })

  it('credits adjust takes neither more than there is nor what running calls hold', async () => {
    const store = await realParts.store(loadConfig({ file: null, env: { CAPSTAN_DATA: join(bench.folder, 'data') }, root: packageRoot() }))
    const account = await store.accounts.byName('default')
    const hold = { account: account?.id ?? '', hold: 'h1', amount: 30_000, deadline: Date.now() + 60_000, owner: 'gw', auth: 0, key: 'k' }
    expect(await store.ledger.hold({ ...hold, capped: false, capability: 'x', maxOpen: 5, now: Date.now() })).to.include({ ok: true })
    await store.close()
    const adjust = (amount: string) => bench.run('credits', 'adjust', '--account', 'default', '--amount', amount, '--ref', `r${amount}`)
    const refused = await adjust('70.5')
    expect(refused.code).to.equal(1)
    expect(refused.err).to.equal(
      'error: --amount: A correction can take at most the credits that no running call holds: 70 (balance 100, held 30).\n',
    )
    expect(await adjust('70')).to.deep.include({ code: 0, out: 'removed 70 credits from default; balance 30\n' })
  })

  for (const [why, argv] of [
    ['a sign', ['--amount=-5', '--ref', 'x']],
    ['nothing', ['--amount', '0', '--ref', 'x']],
    ['a reference with a space', ['--amount', '5', '--ref', 'a b']],
    ['no reference', ['--amount', '5']],
    ['a long note', ['--amount', '5', '--ref', 'x', '--note', 'x'.repeat(201)]],
  ] as const)
    it(`credits adjust with ${why} is wrong usage`, async () => {
      const { code, err } = await bench.run('credits', 'adjust', '--account', 'default', ...argv)
      expect(code).to.equal(2)
      expect(err).to.match(/--(?:amount|ref|note)/)
    })

  it('accounts disable and enable change the account once, with an audit entry each', async () => {
    expect((await bench.run('accounts', 'disable', 'default', '--json')).json()).to.include({
      name: 'default',
      disabled: true,
      changed: true,
    })
    expect((await bench.run('accounts', 'disable', 'default', '--json')).json()).to.include({ disabled: true, changed: false })
    expect((await bench.run('accounts', 'show', 'default', '--json')).json()).to.include({ disabled: true })
    expect((await bench.run('accounts', 'enable', 'default')).out).to.equal('enabled default\n')
    expect((await bench.run('accounts', 'show', 'default', '--json')).json()).to.include({ disabled: false })
    expect((await bench.run('accounts', 'disable', 'defualt')).err).to.contain('did you mean default?')
  })

  it('accounts create takes 0 credits', async () => {
    expect((await bench.run('accounts', 'create', '--name', 'empty', '--credits', '0', '--json')).json()).to.include({
      name: 'empty',
      balance: 0,
    })
    expect((await bench.run('accounts', 'create', '--name', 'less', '--credits=-1')).code).to.equal(2)
  })

  it('keys create takes addresses and a cap for a day; keys list shows scopes, caps and what was spent', async () => {
    const made = await bench.run(
      ...[
        'keys',
        'create',
        '--account',
        'default',
        '--name',
        'laptop',
        '--allowed-ips',
        '203.0.113.7, 2001:db8::/32',
        '--credit-limit-per-day',
        '2.5',
      ],
      ...['--scopes', 'search,scrape*', '--credit-limit', '20', '--json'],
    )
    expect(made.json()).to.deep.include({ allowed_ips: ['203.0.113.7', '2001:db8::/32'], credit_limit_per_day: 2.5, credit_limit: 20 })
    const { out } = await bench.run('keys', 'list', '--account', 'default')
    const [headings, first] = out.split('\n').map((line) => line.split(/ {2,}/))
    expect(headings?.slice(5, 10)).to.deep.equal(['scopes', 'used', 'limit', 'a day', 'addresses'])
    expect(first?.slice(5, 10)).to.deep.equal(['search, scrape*', '0', '20', '2.5', '203.0.113.7, 2001:db8::/32'])
    await bench.run('keys', 'create', '--account', 'default')
    const rows = (await bench.run('keys', 'list')).out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
    expect(rows.some((row) => row.slice(-7).join() === 'all,0,-,-,any,-,-')).to.equal(true)
  })

  for (const [option, value, words] of [
    ['--allowed-ips', '203.0.113.7,10.0.0.0/33', '"10.0.0.0/33" is not an IP address or CIDR range'],
    ['--credit-limit-per-day', '0', 'credits above 0'],
    ['--scopes', 'serch', 'did you mean search?'],
  ] as const)
    it(`keys create ${option} ${value} is wrong usage that names the option`, async () => {
      const { code, err } = await bench.run('keys', 'create', '--account', 'default', option, value)
      expect(code).to.equal(2)
      expect(err).to.contain(option).and.to.contain(words)
    })

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

  it('keys revoke a second time says so and is no second audit entry; a key that is over is not rotated', async () => {
    const { id } = (await bench.run('keys', 'create', '--account', 'default', '--json')).json() as { id: string }
    expect((await bench.run('keys', 'revoke', id)).out).to.equal(`revoked ${id}\n`)
    expect(await bench.run('keys', 'revoke', id)).to.include({ code: 0, out: `${id} is already revoked\n` })
    const db = new DatabaseSync(join(bench.folder, 'data', 'capstan.db'), { readOnly: true })
    expect(db.prepare("select count(*) n from audit where action = 'key.revoke'").get()).to.deep.include({ n: 1 })
    db.close()
    const { code, err } = await bench.run('keys', 'rotate', id)
    expect({ code, err }).to.deep.equal({
      code: 1,
      err: `error: ${id} is revoked or expired; create a new key with capstan keys create --account default\n`,
    })
  })

  it('T-72 a name cannot drive the terminal that lists it', async () => {
    await bench.run('keys', 'create', '--account', 'default', '--name', 'a\u001b[2Jb')
    const { out } = await bench.run('keys', 'list')
    expect(out).to.contain('a [2Jb').and.not.to.contain('\u001b')
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

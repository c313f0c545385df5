import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditMongo } from '../../../scripts/capstan/audit/mongodb.js'
import { cliBench, type CliBench } from '../../support/cli.js'
import { needsMongo, rawMongo, temporaryMongo, type TemporaryMongo } from '../../support/mongodb.js'

interface Moved {
  readonly moved: boolean
  readonly to: string
  readonly compared: readonly { readonly what: string; readonly source: number; readonly target: number | null }[]
}

describe('capstan store move', function () {
  this.timeout(20_000)
  let bench: CliBench
  let temporary: TemporaryMongo

  before(async function () {
    await needsMongo(this)
  })
  beforeEach(async () => {
    temporary = await temporaryMongo()
    bench = cliBench({ env: { MOVE_TO: temporary.uri } })
    await bench.run('accounts', 'create', '--name', 'default', '--credits', '100.5', '--json')
    await bench.run('keys', 'create', '--account', 'default', '--credit-limit', '7', '--json')
  })
  afterEach(async () => {
    bench.done()
    await temporary.drop()
  })

  it('moves the configured ledger, prints what was compared, and says what to do next', async () => {
    const { code, out, err } = await bench.run('store', 'move', '--to', temporary.uri)
    expect({ code, err }).to.deep.equal({
      code: 0,
      err: 'checking the source\ncreating collections and indexes\ncopying\nchecking the target\n',
    })
    expect(out).to.match(
      /^what +source +target\ncredits +100\.5 +100\.5\naccounts +1 +1\nentries +1 +1\ndetails of calls +0 +0\nkeys +1 +1\n/,
    )
    expect(out).to.match(/SHA-256 [0-9a-f]{64}\n.*set CAPSTAN_STORE to the new address/)
    expect(await auditMongo({ uri: temporary.uri })).to.deep.equal({ ok: true, accounts: 1, entries: 1, problems: [] })
    expect((await bench.run('ledger', 'check')).code, 'the source is as it was').to.equal(0)
  })

  it('--json prints one document; --dry-run writes nothing; ${NAME} is filled in', async () => {
    const dry = (await bench.run('store', 'move', '--to', '${MOVE_TO}', '--dry-run', '--json')).json() as Moved
    expect(dry.moved).to.equal(false)
    expect(dry.compared[0]).to.deep.equal({ what: 'credits', source: 100.5, target: null })
    expect(await (await rawMongo(temporary.uri)).collections()).to.deep.equal([])
    const done = (await bench.run('store', 'move', '--to', '${MOVE_TO}', '--json')).json() as Moved
    expect(done.moved).to.equal(true)
    expect(done.compared.every(({ source, target }) => source === target)).to.equal(true)
  })

  it('is refused while a gateway serves the ledger, naming its pid', async () => {
    const script = fileURLToPath(new URL('../../support/store-lock-child.js', import.meta.url))
    const child = spawn(process.execPath, [script, join(bench.folder, 'data')], { stdio: ['pipe', 'pipe', 'inherit'] })
    try {
      await once(child.stdout, 'data')
      const { code, err } = await bench.run('store', 'move', '--to', temporary.uri)
      expect(code).to.equal(1)
      expect(err).to.contain(`the gateway with pid ${child.pid}`)
    } finally {
      child.stdin.end()
      await once(child, 'exit')
    }
    expect((await bench.run('store', 'move', '--to', temporary.uri)).code).to.equal(0)
  })

  it('T-08 shows no password, whatever goes wrong', async () => {
    const { code, out, err } = await bench.run('store', 'move', '--to', 'mongodb://someone:s3cret@127.0.0.1:1/capstan')
    expect(code).to.equal(1)
    expect(err).to.match(/^checking the source\nerror: mongodb:\/\/someone:\*\*\*@127\.0\.0\.1:1\/capstan is unreachable/)
    expect(out + err).not.to.match(/s3cret|\n +at /)
  })

  it('wrong usage has its own error, and creates nothing', async () => {
    for (const to of ['sqlite:x.db', 'mongodb://127.0.0.1', 'mongodb://127.0.0.1/', '${NOT_SET}'])
      expect((await bench.run('store', 'move', '--to', to)).code, to).to.equal(2)
    expect((await bench.run('store', 'move', '--to', temporary.uri, '--from', 'postgres://x')).code).to.equal(2)
    expect((await bench.run('store', 'move')).code).to.equal(2)
    const missing = await bench.run('store', 'move', '--to', temporary.uri, '--from', 'sqlite:elsewhere/none.db')
    expect(missing.code).to.equal(1)
    expect(missing.err).to.contain('there is no ledger at')
    expect(existsSync(join(bench.folder, 'elsewhere'))).to.equal(false)
  })
})

import { expect } from 'chai'
import { GuestPlugins } from '../../support/guest-plugin.js'
import { ADMIN_TOKEN, Served } from '../../support/served.js'
import { cliBench, type CliBench } from '../../support/cli.js'
import { until } from '../../support/time.js'

/** What the code of a plugin does at a call, and what `capstan run` says of it. */
const WAYS = [
  { name: 'throws', run: "async () => { throw new TypeError('a canary') }", says: 'The provider failed unexpectedly.' },
  { name: 'rejects', run: "async () => { await null; throw new Error('a canary') }", says: 'The provider failed unexpectedly.' },
  { name: 'hangs', run: 'async () => new Promise(() => undefined)', more: 'timeoutMs: 300', says: 'The provider took too long.' },
  {
    name: 'opens',
    head: "import { resource } from 'capstan/sdk'\nexport const store = resource({ id: 'opens', open: () => Promise.reject(new Error('a canary')) })",
    run: 'async (_, context) => ({ text: String(await context.use(store)) })',
    says: 'The provider failed unexpectedly.',
  },
] as const

describe('capstan run and plugins whose code fails at a call', function () {
  this.timeout(300_000)
  const guests = new GuestPlugins()
  let served: Served
  let bench: CliBench
  const write = (broken: boolean) => {
    for (const { name, run, ...rest } of WAYS)
      guests.write({ name, providers: { [name]: broken ? { run, ...rest } : { run: 'async ({ text }) => ({ text })' } } })
  }
  const reload = async () => {
    const { success } = (await served.send('/admin/v1/reload', { method: 'POST', key: ADMIN_TOKEN })).json<{ success: boolean }>()
    expect(success).to.equal(true)
  }
  /** What the call ends with once a busy machine has let it in: a gateway that reads plugins again beside other tests may refuse as overloaded. */
  const answered = async (name: string) => {
    let last = await bench.run('run', name, 'text=hello')
    await until(async () => {
      if (!last.err.includes('Gateway overloaded (503)')) return true
      last = await bench.run('run', name, 'text=hello')
      return false
    })
    return last
  }
  const expectProblems = async () => {
    for (const { name, says } of WAYS) {
      const { code, out, err } = await answered(name)
      expect({ code, out }, name).to.deep.equal({ code: 6, out: '' })
      expect(err, name).to.contain(`error: All providers failed (502)\n${says}\n`)
      expect(err, name).not.to.match(/^\s+at |canary/m)
      const { credits_used: used } = (await bench.run('run', name, 'text=hello', '--json')).json() as { credits_used: number }
      expect(used, name).to.equal(0)
    }
  }
  before(async () => {
    write(true)
    served = new Served({ env: { CAPSTAN_PLUGINS: guests.folder } })
    await served.line('ready')
    bench = cliBench({ env: { CAPSTAN_URL: served.url, CAPSTAN_API_KEY: (await served.account(100)).key } })
  })
  after(async () => {
    bench?.done()
    await served?.end()
    guests.remove()
  })

  it('reports the problem to the caller within the time of the provider, without a stack and uncharged, after a start', async () =>
    await expectProblems())

  it('answers once they were mended and reloaded', async () => {
    write(false)
    await reload()
    for (const { name } of WAYS) expect((await bench.run('run', name, 'text=hello')).out, name).to.equal('text: hello\n')
  })

  it('reports the same to the caller after a reload', async () => {
    write(true)
    await reload()
    await expectProblems()
  })
})

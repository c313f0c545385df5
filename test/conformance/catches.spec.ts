import { expect } from 'chai'
import { systemClock } from '../../core/runtime/clock.js'
import { runCases, runConformance, type CaseResult, type FixtureCase } from '../../scripts/capstan/kit/conformance/index.js'
import { forbiddenIn } from '../../scripts/capstan/kit/conformance/folder-cases.js'
import { load, PluginFolder } from '../support/loader.js'
import { atMost, waited } from '../support/time.js'

const request = { method: 'POST', path: '/say', query: { lang: 'en' }, headers: { 'x-key': 'secret-api_key' }, json: { text: 'hi' } }
const good: FixtureCase = {
  name: 'hello',
  input: { text: 'hi' },
  exchanges: [{ request, reply: { json: { said: 'Hi.' } } }],
  output: { text: 'Hi.' },
}

const contract = `import { Type, capability, flat } from 'capstan/sdk'
export const say = capability({ id: 'say', path: '/v1/say', title: 'Say', description: 'Says it.', input: Type.Object({ text: Type.String({ description: 'What.' }) }),
  output: Type.Object({ text: Type.String() }), price: flat(1), work: 'light', examples: [{ title: 'One', params: { text: 'hi' } }] })`
const http = `import { httpProvider, Type } from 'capstan/sdk'
import { say } from '../contract.mjs'
export const p = httpProvider(say, {
  vendor: { id: 'acme', title: 'Acme', baseUrl: 'https://api.acme.example/v1', hosts: { other: 'https://other.acme.example/v9' }, secrets: { api_key: 'ACME_API_KEY' }, auth: (s) => ({ headers: { 'x-key': s('api_key') } }) },
  request: ({ text }) => ({ method: 'POST', path: '/say', query: { lang: 'en' }, json: { text } }),
  reply: Type.Object({ said: Type.String() }),
  map: ({ said }) => ({ text: said }),
})`
/** The same provider of another vendor, with a secret of its own. */
const vendorOf = (id: string): string => http.replace("id: 'acme'", `id: '${id}'`).replace('ACME_API_KEY', 'OTHER_API_KEY')
const runs = (body: string): string => `import { Fault, provider, Type } from 'capstan/sdk'
import { say } from '../contract.mjs'
export const p = provider(say, { vendor: { id: 'acme', title: 'Acme', baseUrl: 'https://api.acme.example', programs: { tool: 'tools' }, secrets: { api_key: 'ACME_API_KEY' } }, run: async (input, ctx) => { ${body} } })`

describe('the conformance suite', () => {
  let folder: PluginFolder
  beforeEach(async () => {
    folder = await PluginFolder.make()
  })
  afterEach(() => folder.remove())

  async function results(cases: readonly FixtureCase[], files: Readonly<Record<string, string>> = {}): Promise<readonly CaseResult[]> {
    await folder.write('say', {
      'index.mjs': "import { plugin } from 'capstan/sdk'\nexport const m = plugin({ name: 'say', version: '1', sdk: 2, title: 'Say' })",
      'contract.mjs': contract,
      'providers/acme.mjs': http,
      'fixtures/acme.say.json': JSON.stringify({ cases }),
      'README.md': 'acme',
      ...files,
    })
    const registry = await load({ thirdParty: [folder.path] })
    const suite = await runConformance(registry, { clock: systemClock, plugins: ['say'] })
    const summary = await runCases(suite.cases)
    await suite.close()
    return summary.results
  }

  const failed = async (...given: Parameters<typeof results>): Promise<string[]> =>
    (await results(...given)).flatMap(({ name, state, reason }) => (state === 'failed' ? [`${name}: ${reason ?? ''}`] : []))

  const change = (part: Partial<typeof request>): FixtureCase => ({
    ...good,
    exchanges: [{ request: { ...request, ...part }, reply: { json: { said: 'Hi.' } } }],
  })

  it('passes what is right, troubles included', async () => {
    const all = await results([good])
    expect(all.filter(({ state }) => state !== 'passed')).to.deep.equal([])
    expect(all.filter(({ name }) => name.includes('handles'))).to.have.length(14)
  })

  it('takes a path with or without the path of the address', async () => {
    expect(await failed([change({ path: '/v1/say' })])).to.deep.equal([])
  })

  const wrong: [string, FixtureCase, string][] = [
    ['another method', change({ method: 'PUT' }), 'PUT /say: the method was POST'],
    ['another path', change({ path: '/speak' }), 'POST /speak: the path was /v1/say'],
    ['a query field more', change({ query: { lang: 'en', x: '1' } as never }), 'query/x is absent, expected "1"'],
    ['a query field less', change({ query: {} as never }), 'query/lang is "en", expected absent'],
    ['another header', change({ headers: { 'x-key': 'other' } }), 'header x-key was "secret-api_key", expected "other"'],
    ['another body', change({ json: { text: 'ho' } }), 'json/text is "hi", expected "ho"'],
    ['another output', { ...good, output: { text: 'Ho.' } }, 'output/text is "Hi.", expected "Ho."'],
    [
      'a request nobody sends',
      { ...good, exchanges: [...(good.exchanges ?? []), { request, reply: {} }] },
      'POST /say is recorded but was not sent',
    ],
    ['a request nobody recorded', { ...good, exchanges: [] }, 'POST /v1/say was sent but is not recorded'],
    ['a program nobody runs', { ...good, exec: [{ program: 'tool' }] }, 'was not used'],
    ['an input that is none', { ...good, input: { words: 'hi' } }, 'the input does not fit say'],
  ]
  for (const [title, fixture, message] of wrong) {
    it(`finds ${title}`, async () => {
      expect((await failed([fixture, good])).find((line) => line.startsWith('acme.say: hello'))).to.contain(message)
    })
  }

  it('finds faults and empty results where others are expected', async () => {
    const reply = { status: 401, json: {} }
    const refused: FixtureCase = { ...good, name: 'refused', exchanges: [{ request, reply }] }
    const open: FixtureCase = { name: 'refused', input: refused.input, exchanges: refused.exchanges ?? [] }
    expect(await failed([good, refused])).to.have.length(1)
    expect(await failed([good, { ...open, nothing: true }])).to.have.length(1)
    expect(await failed([good, { ...open, fault: { kind: 'quota' } }])).to.have.length(1)
    expect(await failed([good, { ...open, fault: { kind: 'credentials' } }])).to.deep.equal([])
  })

  it("finds a pause that differs from the vendor's", async () => {
    const reply = { status: 429, headers: { 'retry-after': '20' }, json: {} }
    const busy = (retryAfterSeconds: number): FixtureCase => {
      return { name: 'busy', input: good.input, exchanges: [{ request, reply }], fault: { kind: 'busy', retryAfterSeconds } }
    }
    expect(await failed([good, busy(20)])).to.deep.equal([])
    expect((await failed([good, busy(5)])).join()).to.contain('fault/retryAfterSeconds is 20, expected 5')
  })

  it('finds costs that nobody recorded, and others than recorded', async () => {
    const spends = { 'providers/acme.mjs': runs("ctx.cost(2, 'credits'); return { text: 'Hi.' }") }
    const costing = (...amounts: number[]): FixtureCase => {
      return { name: 'spends', input: good.input, output: good.output, costs: amounts.map((amount) => ({ amount, currency: 'credits' })) }
    }
    expect(await failed([costing(2)], spends)).to.deep.equal([])
    expect((await failed([costing()], spends)).join()).to.contain('costs is')
    expect((await failed([costing(3)], spends)).join()).to.contain('costs/0/amount is 2, expected 3')
  })

  it('plays a vendor without its optional secrets, and finds a name that is none', async () => {
    const optional = runs("return { text: ctx.secret('extra') === '' ? 'none' : 'one' }").replace(
      'secrets:',
      "optionalSecrets: { extra: 'ACME_EXTRA' }, secrets:",
    )
    const said = (text: string, without?: string[]): FixtureCase => {
      return { name: 'asks', input: good.input, output: { text }, ...(without === undefined ? {} : { without }) }
    }
    expect(await failed([said('one'), said('none', ['extra'])], { 'providers/acme.mjs': optional })).to.deep.equal([])
    expect((await failed([said('one', ['api_key'])], { 'providers/acme.mjs': optional })).join()).to.contain(
      'is not an optional secret of vendor acme',
    )
  })

  const fixtures: [string, string, string][] = [
    ['has an unknown field', JSON.stringify({ cases: [{ ...good, outptu: 1 }] }), '("outptu")'],
    ['has no case with an output', JSON.stringify({ cases: [{ name: 'x', input: {}, nothing: true }] }), 'no case has an output'],
    ['has two ends', JSON.stringify({ cases: [{ ...good, nothing: true }] }), 'exactly one of output, nothing and fault'],
  ]
  for (const [title, text, message] of fixtures) {
    it(`finds a fixture that ${title}`, async () => {
      const found = await failed([good], { 'fixtures/acme.say.json': text })
      expect(found.join()).to.contain(message)
    })
  }

  it('names the fixtures that test a provider file', async () => {
    expect((await results([good])).map(({ name }) => name)).to.include('providers/acme.mjs: tested by fixtures/acme.say.json')
  })

  it('finds a provider file without a fixture, beside one that has its own', async () => {
    expect(await failed([good], { 'providers/acme-two.mjs': vendorOf('acme-two'), 'README.md': 'acme acme-two' })).to.deep.equal([
      'providers/acme-two.mjs: tested by fixtures/acme-two.say.json: fixtures/acme-two.say.json is missing; every provider needs a fixture',
    ])
  })

  it('finds a port of a provider file without a fixture', async () => {
    const text = 'Type.Object({ text: Type.String() })'
    const words = `export const words = port({ id: 'words', input: ${text}, output: ${text} })`
    const second = 'export const q = provider(words, { vendor: p.vendor, run: async (input) => input })'
    const files = {
      'contract.mjs': `${contract.replace('flat }', 'flat, port }')}\n${words}`,
      'providers/acme.mjs': `${http.replace('{ httpProvider', '{ provider, httpProvider').replace('say }', 'say, words }')}\n${second}`,
    }
    expect(await failed([good], files)).to.deep.equal([
      'providers/acme.mjs: tested by fixtures/acme.say.json, fixtures/acme.words.json: fixtures/acme.words.json is missing; every provider needs a fixture',
    ])
  })

  it('finds a provider file that exports no provider, though its name is that of a vendor', async () => {
    expect(await failed([good], { 'providers/acme-words.mjs': 'export const words = []' })).to.deep.equal([
      'providers/acme-words.mjs: tested by a fixture: it exports no provider, so no fixture can test it; other code belongs outside the folder',
    ])
  })

  it('finds a provider file that is not named after its vendor', async () => {
    const text = JSON.stringify({ cases: [good] })
    const files = { 'providers/acme-two.mjs': vendorOf('zeta'), 'fixtures/zeta.say.json': text, 'README.md': 'acme zeta' }
    expect((await failed([good], files)).filter((line) => line.startsWith('providers/'))).to.deep.equal([
      'providers/acme-two.mjs: tested by fixtures/zeta.say.json: it provides nothing for a vendor of that name; a provider file is named <vendor> or <vendor>-<word>',
    ])
  })

  it('finds secrets in results, faults, notes and log lines', async () => {
    const leaks = [
      "return { text: ctx.secret('api_key') }",
      "ctx.note(`key ${ctx.secret('api_key')}`); return { text: 'a' }",
      "ctx.log('x', { k: ctx.secret('api_key') }); return { text: 'a' }",
    ]
    for (const body of leaks)
      expect(
        (await failed([{ name: 'hello', input: { text: 'a' }, output: { text: 'a' } }], { 'providers/acme.mjs': runs(body) })).join(),
      ).to.contain('the secret api_key appears in')
    const throws = runs("throw new Fault('broken', ctx.secret('api_key'))")
    expect(
      (await failed([{ name: 'hello', input: { text: 'a' }, output: { text: 'a' } }], { 'providers/acme.mjs': throws })).join(),
    ).to.contain('the secret api_key appears in')
  })

  it('finds providers that throw, or make results of a vendor that fails', async () => {
    const swallow = runs(
      "try { return { text: await ctx.api.json({ path: '/say', method: 'POST', query: { lang: 'en' }, json: input }, Type.Object({ said: Type.String() })).then((r) => r.said) } } catch (e) { return { text: 'Hi.' } }",
    )
    const fixture: FixtureCase = { ...good, exchanges: [{ request: { ...request, headers: {} }, reply: { json: { said: 'Hi.' } } }] }
    const found = await failed([fixture], { 'providers/acme.mjs': swallow })
    expect(found.filter((line) => line.includes('it returned a result'))).to.have.length(13)
    const explodes = http.replace('({ text: said })', '({ text: said.x.y })')
    expect((await failed([good], { 'providers/acme.mjs': explodes })).join()).to.contain('Cannot read properties of undefined')
  })

  it('B3 finds providers that say that there is nothing where the vendor failed', async () => {
    for (const nothing of ['return null', "throw new Fault('missing', 'None.')"]) {
      const body = `try { return { text: (await ctx.api.json({ path: '/say' }, Type.Object({ said: Type.String() }))).said } } catch (error) {
        if (!['quota', 'credentials', 'invalid'].includes(error.kind)) { ${nothing} }
        throw error }`
      const found = (await failed([good], { 'providers/acme.mjs': runs(body) })).join()
      for (const name of ['429 with Retry-After', '500', '503', 'a cut body', 'garbage']) expect(found, name).to.contain(`handles ${name}`)
    }
  })

  it('finds providers that hide a refusal of the vendor, or take it for their own', async () => {
    const call =
      "await ctx.api.json({ path: '/say', method: 'POST', query: { lang: 'en' }, json: input }, Type.Object({ said: Type.String() }))"
    const fixture: FixtureCase = { ...good, exchanges: [{ request: { ...request, headers: {} }, reply: { json: { said: 'Hi.' } } }] }
    const refusals = async (body: string): Promise<string[]> =>
      (await failed([fixture], { 'providers/acme.mjs': runs(body) })).filter((line) => /handles (400|422)/.test(line))
    const nothing = await refusals(`try { return { text: (${call}).said } } catch (e) { return null }`)
    expect(nothing).to.have.length(2)
    expect(nothing.join()).to.contain('it ended with nothing although the vendor refused the input')
    const broken = await refusals(`try { return { text: (${call}).said } } catch (e) { throw new Fault('broken', 'no') }`)
    expect(broken.join()).to.contain('it ended with the fault "broken", expected "invalid"')
    const own = await refusals(`try { return { text: (${call}).said } } catch (e) { throw new Fault('invalid', 'no') }`)
    expect(own.join()).to.contain('has no status, so it looks like our own refusal')
    expect(await refusals(`return { text: (${call}).said }`)).to.deep.equal([])
  })

  it('plays a job that is waited for without waiting: polls in their order, the clean-up, and the end of the time', async function () {
    const body = (stateCall: string): string => `const S = Type.Object({ s: Type.String() })
      await ctx.api.json({ method: 'POST', path: '/jobs', json: input }, S)
      const text = await poll(ctx, { ask: ${stateCall}, cancel: (c) => c.api.text({ method: 'DELETE', path: '/jobs/1' }),
        read: ({ s }) => s === 'bad' ? { state: 'failed', fault: new Fault('missing', 'no') } : s === 'run' ? { state: 'running' } : { state: 'done', result: s } })
      return { text }`
    const job = { 'providers/acme.mjs': runs(body("(c) => c.api.json({ path: '/jobs/1' }, S)")).replace('{ Fault,', '{ Fault, poll,') }
    const made = { request: { method: 'POST', path: '/jobs', json: { text: 'hi' } }, reply: { json: { s: 'made' } } }
    const poll = (reply: object) => ({ request: { method: 'GET', path: '/jobs/1' }, reply })
    const cancelled = { request: { method: 'DELETE', path: '/jobs/1' }, reply: {} }
    const run = { json: { s: 'run' } }
    const cases: FixtureCase[] = [
      { ...good, exchanges: [made, poll(run), poll({ status: 503 }), poll(run), poll({ json: { s: 'Hi.' } })] },
      { name: 'failed', input: good.input, exchanges: [made, poll(run), poll({ json: { s: 'bad' } })], fault: { kind: 'missing' } },
      { name: 'forgotten', input: good.input, exchanges: [made, poll(run), poll({ status: 404 })], fault: { kind: 'broken' } },
      {
        name: 'endless',
        input: good.input,
        exchanges: [made, ...Array.from({ length: 8 }, () => poll(run)), cancelled],
        fault: { kind: 'busy' },
      },
    ]
    const { own } = await waited(async () => expect(await failed(cases, job)).to.deep.equal([]))
    await atMost(this, { what: 'the suite', value: own, limit: 10_000 })
    expect(
      (await failed([...cases.slice(0, 3), { ...cases[3], exchanges: cases[3]?.exchanges?.slice(0, -1) } as FixtureCase], job)).join(),
    ).to.contain('DELETE /jobs/1 was sent but is not recorded')
  })

  it('plays programs, other ports with any input, pages and addresses from the fixture', async () => {
    const body = `
      const { stdout } = await ctx.exec('tool', ['-v'])
      const page = await ctx.web.get('https://a.example/')
      const words = { id: 'demo.words', input: Type.Object({ prompt: Type.String() }), output: Type.Object({ word: Type.String() }) }
      const [own] = ctx.providers(words)
      const { word } = own.id === 'acme' && own.serves({ prompt: 'p' }) ? await ctx.call(words, { prompt: 'p' }) : {}
      const [address] = await ctx.net.dns('a.example', 'A')
      const stored = await ctx.files.put(page.bytes, { name: 'a.txt' })
      return { text: [new TextDecoder().decode(stdout), page.status, word, address, stored.url].join(' ') }`
    const fixture: FixtureCase = {
      name: 'all',
      input: { text: 'a' },
      exec: [{ program: 'tool', args: ['-v'], result: { stdout: 'v1' } }],
      web: [{ url: 'https://a.example/', reply: { status: 404, text: 'no' } }],
      calls: [{ port: 'demo.words', output: { word: 'w' } }],
      net: [{ dns: ['a.example', 'A'], answer: ['192.0.2.1'] }],
      output: { text: { $match: '^v1 404 w 192\\.0\\.2\\.1 https://files\\.example\\.com/file-1/a\\.txt$' } },
    }
    expect(await failed([fixture], { 'providers/acme.mjs': runs(body) })).to.deep.equal([])
    expect(
      (await failed([{ ...fixture, exec: [{ program: 'tool', args: ['-x'], result: {} }] }], { 'providers/acme.mjs': runs(body) })).join(),
    ).to.contain('ctx.exec: tool -v is not in the fixture (expected -x)')
    expect((await failed([fixture], { 'providers/acme.mjs': runs("await ctx.exec('other', [])") })).join()).to.contain(
      'runs "other" without declaring it under programs',
    )
  })

  it('plays DNS answers, TLS inspections and dialogues of lines, and finds what is said otherwise', async () => {
    const body = `
      const { records, authenticated } = await ctx.net.query('a.example', 'MX')
      const { chain } = await ctx.net.inspectTls('a.example')
      const lines = await ctx.net.connect(records[0].data.exchange, 25)
      const greeting = await lines.readLine()
      await lines.write('STARTTLS')
      const ready = await lines.readLine()
      const { trusted } = await lines.startTls()
      const rest = await lines.readAll()
      lines.close()
      return { text: [authenticated, chain.length, greeting, ready, trusted, rest.length].join(' ') }`
    const fixture = (lines: string[]): FixtureCase => ({
      name: 'lines',
      input: { text: 'a' },
      net: [
        { connect: ['mx.example', '25'], lines, answer: { trusted: false } },
        { inspectTls: 'a.example', answer: { chain: [] } },
        { query: ['a.example', 'MX'], answer: { records: [{ data: { exchange: 'mx.example' } }], authenticated: true } },
      ],
      output: { text: 'true 0 220 mx 220 go false 5' },
    })
    const run = (lines: string[]) => failed([fixture(lines)], { 'providers/acme.mjs': runs(body) })
    expect(await run(['< 220 mx', '> STARTTLS', '< 220 go', '= tls', '< abc'])).to.deep.equal([])
    expect((await run(['< 220 mx', '> EHLO', '< 220 go', '= tls'])).join()).to.contain('was sent "STARTTLS", the fixture has "> EHLO"')
    expect((await run(['> STARTTLS'])).join()).to.contain('the provider reads a line, the fixture has "> STARTTLS"')
    expect((await run(['< 220 mx', '> STARTTLS', '< 220 go'])).join()).to.contain('TLS was begun, the fixture has "the end"')
  })

  it('T-68 finds imports and globals that go around the gateway', () => {
    const found = [
      "import http from 'node:http'",
      "import { connect } from 'net'",
      "const u = await import('undici')",
      "require('child_process')",
      'await fetch(url)',
      'new WebSocket(u)',
      'globalThis.fetch(u)',
      "export * from 'node:dns/promises'",
    ]
    for (const source of found) expect(forbiddenIn(source), source).not.to.equal(null)
    for (const source of [
      "import { Type } from 'capstan/sdk'",
      'ctx.files.fetch(url)',
      '// await fetch(url)',
      '/* new WebSocket() */',
      "const a = 'https://x.example'; prefetch(a)",
    ])
      expect(forbiddenIn(source), source).to.equal(null)
  })

  it('T-68 finds them in the files of a plugin, beside a README and fixtures that fit', async () => {
    const found = await failed([good], {
      'lib/sneak.mjs': 'export const get = (u) => fetch(u)',
      'README.md': 'nothing',
      'fixtures/zeta.say.json': '{}',
      'providers/helper.mjs': 'export const x = 1',
    })
    expect(found).to.deep.equal([
      'providers/helper.mjs: tested by a fixture: it exports no provider, so no fixture can test it; other code belongs outside the folder',
      'README.md names each vendor: README.md does not name the vendor acme',
      'each fixture belongs to a provider: fixtures/zeta.say.json belongs to no provider; name it <vendor>.<port>.json',
      'imports nothing that bypasses the gateway: lib/sneak.mjs uses the global fetch: vendors are reached through ctx.api, other addresses through ctx.web, programs through ctx.exec',
    ])
  })

  it('skips live fixtures where their program is not installed, and says which', async () => {
    const text = JSON.stringify({ live: { program: 'tool' }, cases: [{ name: 'hello', input: { text: 'a' }, output: { text: 'a' } }] })
    const all = await results([good], { 'providers/acme.mjs': runs("return { text: 'a' }"), 'fixtures/acme.say.json': text })
    expect(all.filter(({ state }) => state === 'skipped').map(({ reason }) => reason)).to.deep.equal([
      'tool is not installed (Debian package tools)',
    ])
  })
})

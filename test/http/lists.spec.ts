import { expect } from 'chai'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { OpenApiChecker, type Document } from '../support/openapi.js'
import { expectHeaders, expectProblem } from '../support/problem.js'
import { errorOf } from '../support/unit.js'

const SDK = 'capstan/sdk'
const settings = `import { Type, or } from '${SDK}'
export const settings = Type.Object({ suffix: or(Type.String({ description: 'A word.' }), '!') })
`
const manifest = `import { plugin } from '${SDK}'
import { settings } from './settings.mjs'
export const manifest = plugin({ name: 'thing', version: '1.0.0', sdk: 2, title: 'Title', settings })
`
/** A capability whose list `formats` reads as `read` says. */
const contract = (read = 'usual', more = '') => `import { Fault, Type, capability, flat, list, oneOf, or, port } from '${SDK}'
import { settings } from './settings.mjs'
export const made = port({ id: 'thing.made', input: Type.Object({ kind: Type.String() }), output: Type.Object({ text: Type.String() }) })
const query = Type.Object({
  kind: or(Type.String({ description: 'A kind.', minLength: 1 }), 'a'),
  most: Type.Optional(Type.Integer({ description: 'How many.', minimum: 1 })),
})
const usual = ({ query, settings, providers, has }) => {
  if (query.kind === 'wrong') throw new Fault('invalid', 'There is no such kind.', { loc: ['kind'] })
  if (query.kind === 'missing') throw new Fault('missing', 'Nothing is known of it.')
  if (query.kind === 'bug') throw new TypeError('canary-internal')
  if (query.kind === 'other') return { formats: 7 }
  const formats = providers(made).filter(({ serves }) => serves({ kind: query.kind })).map(({ id, order }) => id + order + settings.suffix)
  return Promise.resolve({ formats: formats.slice(0, query.most), live: has(made) })
}
const response = Type.Object({ formats: Type.Array(Type.String()), live: Type.Boolean() })
export const thing = capability({
  id: 'thing', path: '/v1/thing/convert', title: 'Thing', description: 'Does a thing.', input: Type.Object({}),
  output: Type.Object({ text: Type.String() }), price: flat(3), uses: [made], examples: [{ title: 'One', params: {} }],
  lists: {
    formats: list({ title: 'Formats', description: 'What can be made.', response, query, settings, read: ${read} }),
    'all-words': list({ title: 'Words', description: 'Words.', path: '/v1/thing/words', response: Type.Array(Type.String()), read: () => ['x'] }),
  },
  ${more}
})
`
const handler = `import { handle } from '${SDK}'
import { made, thing } from './contract.mjs'
export const run = handle(thing, async (_, ctx) => await ctx.call(made, { kind: 'a' }))
`
const provider = (vendor: string, more = '') => `import { provider, vendor } from '${SDK}'
import { made } from '../contract.mjs'
const maker = vendor({ id: '${vendor}', title: 'Maker', ${more} })
export const make = provider(made, { vendor: maker, serves: ({ kind }) => kind !== '${vendor}', run: async () => ({ text: 'x' }) })
`
const FORMATS = '/v1/thing/convert/formats'
const FILES: Readonly<Record<string, string>> = {
  'index.mjs': manifest,
  'settings.mjs': settings,
  'contract.mjs': contract(),
  'handler.mjs': handler,
  'providers/a.mjs': provider('a'),
  'providers/b.mjs': provider('b'),
  'providers/off.mjs': provider('off', "secrets: { key: 'OFF_KEY' }"),
}

describe('lists beside a capability', () => {
  /** One for all tests that change nothing. */
  let usual: { readonly folder: PluginFolder; readonly gateway: TestGateway; readonly key: string }
  before(async () => {
    const folder = await PluginFolder.make()
    await folder.write('thing', FILES)
    const gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path } })
    usual = { folder, gateway, key: (await gateway.newKey()).key }
  })
  after(async () => {
    await usual?.gateway.close()
    await usual?.folder.remove()
  })
  const get = (path: string, key: string | null = usual.key) => usual.gateway.send(path, { key })

  it("answer keys that may call it, free, with the plugin's list", async () => {
    const { balance } = await usual.gateway.money()
    const reply = await get(FORMATS)
    expectHeaders(reply)
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(reply.headers['x-credits-used']).to.equal('0')
    expect(reply.json<unknown>()).to.deep.equal({ formats: ['b1!'], live: true })
    expect((await get(`${FORMATS}?kind=c&most=1`)).json<unknown>()).to.deep.equal({ formats: ['a0!'], live: true })
    expect((await get('/v1/thing/words')).json<unknown>()).to.deep.equal(['x'])
    expect(await usual.gateway.money()).to.deep.equal({ balance, held: 0, available: balance })
    const head = await usual.gateway.send(FORMATS, { method: 'HEAD', key: usual.key })
    expect([head.status, head.text]).to.deep.equal([200, ''])
  })

  it('are 401 without a key or with a wrong one, and 403 for a key of another scope, which has seen nothing of the list', async () => {
    expectProblem(await get(FORMATS, null), 'authentication-required')
    expectProblem(await get(FORMATS, 'cap_wrong'), 'invalid-api-key')
    const { key } = await usual.gateway.newKey({ scopes: ['search'] })
    const { error } = expectProblem(await get(FORMATS, key), 'key-not-allowed')
    expect(error?.detail).to.contain('"thing"')
    const { key: narrow } = await usual.gateway.newKey({ scopes: ['thing'] })
    expect((await get(FORMATS, narrow)).status).to.equal(200)
    const { key: elsewhere } = await usual.gateway.newKey({ allowed_ips: ['192.0.2.1'] })
    expectProblem(await get(FORMATS, elsewhere), 'key-not-allowed')
  })

  it('are 404 under another name and 405 for another method', async () => {
    for (const path of [
      '/v1/thing/convert/colours',
      '/v1/thing/convert/Formats',
      `${FORMATS}/more`,
      '/v1/thing/convert/all-words',
      '/v1/thing/convert/__proto__',
    ])
      expectProblem(await get(path), 'not-found')
    for (const method of ['POST', 'DELETE', 'PUT']) {
      const reply = await usual.gateway.send(FORMATS, { method, key: usual.key, ...(method === 'DELETE' ? {} : { body: {} }) })
      expectProblem(reply, 'method-not-allowed')
      expect(reply.headers.allow).to.equal('HEAD, GET')
    }
    expectProblem(await get('/v1/thing/convert'), 'method-not-allowed')
  })

  for (const [query, field] of [
    ['most=0', 'most'],
    ['most=one', 'most'],
    ['most=1e3', 'most'],
    ['kind=', 'kind'],
    ['kind=a&kind=b', 'kind'],
    ['colour=red', 'colour'],
    ['__proto__=x', '__proto__'],
    ['kind=wrong', 'kind'],
  ] as const)
    it(`are 422 for ?${query}`, async () => {
      const { detail } = expectProblem(await get(`${FORMATS}?${query}`), 'validation-failed')
      expect(detail?.[0]?.loc).to.deep.equal(['query', field])
    })

  it('are 429 beyond the limit of the key, together with other routes', async () => {
    const { key } = await usual.gateway.newKey({ rate_limit_per_minute: 2 })
    const first = await get(FORMATS, key)
    expect([first.status, first.headers['x-ratelimit-remaining']]).to.deep.equal([200, '1'])
    expect((await get('/v1/account', key)).status).to.equal(200)
    expectProblem(await get(FORMATS, key), 'rate-limited')
  })

  it('fail as the plugin says, as a bug without its words, and as a bug outside the schema', async () => {
    expectProblem(await get(`${FORMATS}?kind=missing`), 'no-result')
    const bug = await get(`${FORMATS}?kind=bug`)
    expectProblem(bug, 'internal')
    expect(bug.text).not.to.contain('canary')
    expectProblem(await get(`${FORMATS}?kind=other`), 'internal')
  })

  it('are in OpenAPI, where every answer is as described, and in the list of capabilities', async () => {
    const checker = await OpenApiChecker.of(usual.gateway)
    for (const path of [FORMATS, `${FORMATS}?kind=b`, '/v1/thing/words', `${FORMATS}?most=0`, `${FORMATS}?kind=missing`])
      expect(checker.faults('GET', path, await get(path)), path).to.deep.equal([])
    expect(checker.faults('GET', FORMATS, await get(FORMATS, null))).to.deep.equal([])
    const operation = checker.document.paths[FORMATS]?.get as unknown as Record<string, unknown>
    expect(operation).to.deep.include({
      operationId: 'listOf_thing_formats',
      tags: ['capabilities'],
      summary: 'Formats',
      security: [{ key: [] }],
    })
    expect((operation.parameters as { name: string; in: string }[]).map(({ name, in: place }) => [name, place])).to.deep.equal([
      ['kind', 'query'],
      ['most', 'query'],
    ])
    expect(checker.document.paths['/v1/thing/words']?.get).to.deep.include({ operationId: 'listOf_thing_allWords' })
    const other = (await get('/v1/openapi.json?product=browser')).json<Document>()
    expect(other.paths).not.to.have.property(FORMATS)
    const { capabilities } = (await get('/v1/capabilities')).json<{ capabilities: { id: string; lists: string[] }[] }>()
    expect(capabilities.find(({ id }) => id === 'thing')?.lists).to.deep.equal([FORMATS, '/v1/thing/words'])
    expect((await get('/v1/tools?format=raw')).text).not.to.contain(FORMATS)
  })
})

describe('lists of a plugin that changes, or is wrong', () => {
  let folder: PluginFolder
  let gateway: TestGateway
  let lines: { message: string; reason?: string; internal?: string }[]
  const start = async (text = contract()): Promise<void> => {
    await folder.write('thing', { ...FILES, 'contract.mjs': text })
    const log = (_level: string, message: string, fields = {}): void => void lines.push({ message, ...fields })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path }, overrides: { log } })
  }
  const get = (path: string) => gateway.send(path)
  beforeEach(async () => {
    folder = await PluginFolder.make()
    lines = []
  })
  afterEach(async () => {
    await gateway.close()
    await folder.remove()
  })

  it('change with a reload', async () => {
    await start()
    const before = (await get('/v1/openapi.json')).headers.etag
    await writeFile(
      join(folder.path, 'thing', 'contract.mjs'),
      contract().replace("'all-words'", "'few-words'").replace('/v1/thing/words', '/v1/thing/few'),
    )
    expect((await gateway.admin('POST', '/admin/v1/reload')).status).to.equal(200)
    expect((await get('/v1/thing/few')).status).to.equal(200)
    expectProblem(await get('/v1/thing/words'), 'not-found')
    expect((await get('/v1/openapi.json')).headers.etag).not.to.equal(before)
  })

  for (const [name, change, reason] of [
    ['a name that is no word', ["'all-words'", "'All Words'"], 'the list "All Words" of thing is not lower-case words joined by "-"'],
    ['a path elsewhere', ['/v1/thing/words', '/v1/account/words'], 'does not begin with /v1/thing/'],
    ['the path of the capability', ['/v1/thing/words', '/v1/thing/convert'], 'the path "/v1/thing/convert" of thing already means thing'],
    ['the path of another list', ['/v1/thing/words', FORMATS], `the path "${FORMATS}" of thing already means thing`],
    [
      'a query field that no query string says',
      ["Type.Optional(Type.Integer({ description: 'How many.', minimum: 1 }))", "Type.Array(Type.String(), { description: 'x' })"],
      'the query field "most"',
    ],
    ['a query field without a description', ["description: 'How many.', ", ''], `parameter "most" is missing`],
    ['no title', ["title: 'Words', ", ''], 'the title of the list "all-words" of thing is missing'],
    ['a hidden character', ["'What can be made.'", "'What can\\u202e be made.'"], 'U+202E'],
    ['no function', ["read: () => ['x']", "read: 'x'"], 'is not made by list('],
    [
      'a schema that does not compile',
      ['response: Type.Array(Type.String())', "response: { type: 'nothing' }"],
      'a schema of the list "all-words" of thing does not compile',
    ],
    [
      'settings of nobody',
      ['query, settings, read', 'query, settings: Type.Object({}), read'],
      'names settings that its plugin does not declare',
    ],
  ] as const)
    it(`with ${name} set their plugin aside, and it says so`, async () => {
      expect(contract()).to.contain(change[0])
      await start(contract().replace(change[0], change[1]))
      const said = lines.filter(({ message }) => message === 'plugin set aside').map((line) => line.reason ?? '')
      expect(said).to.have.length(1)
      expect(said[0]).to.contain('plugin thing, contract.mjs: ').and.to.contain(reason)
      expectProblem(await get(FORMATS), 'not-found')
    })

  it('of one plugin keep others from their path', async () => {
    await folder.write('other', {
      'index.mjs': index('other', '', SDK),
      'contract.mjs': `import { Type, capability, flat } from '${SDK}'
export const other = capability({ id: 'other', path: '/v1/thing/words', title: 'O', description: 'O.', input: Type.Object({}),
  output: Type.Object({}), price: flat(1), examples: [{ title: 'One', params: {} }] })
`,
    })
    await start()
    const said = lines.filter(({ message }) => message === 'plugin set aside').map((line) => line.reason ?? '')
    expect(said).to.have.length(1)
    expect(said[0]).to.contain('the path "/v1/thing/words" of thing already means other')
    expect(await errorOf(get('/v1/thing/words').then(({ status }) => Promise.reject(new Error(String(status)))))).to.have.property(
      'message',
      '405',
    )
  })
})

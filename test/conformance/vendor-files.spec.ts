import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { systemClock } from '../../core/runtime/clock.js'
import { runCases, runConformance, type FixtureCase } from '../../scripts/capstan/kit/conformance/index.js'
import { load, PluginFolder } from '../support/loader.js'

const contract = `import { Type, capability, flat } from 'capstan/sdk'
export const say = capability({ id: 'say', path: '/v1/say', title: 'Say', description: 'Says it.', input: Type.Object({ text: Type.String({ description: 'What.' }) }),
  output: Type.Object({ file: Type.Unknown(), text: Type.String() }), price: flat(1), work: 'light', examples: [{ title: 'One', params: { text: 'hi' } }] })`
const POLL = new URL('../../core/sdk/poll.js', import.meta.url).href
const provider = (body: string): string => `import { Fault, provider, Type } from 'capstan/sdk'
import { poll } from '${POLL}'
import { say } from '../contract.mjs'
const Job = Type.Object({ s: Type.String(), up: Type.Optional(Type.String()), down: Type.Optional(Type.String()) })
const vendor = { id: 'acme', title: 'Acme', baseUrl: 'https://api.acme.example', secrets: { api_key: 'ACME_API_KEY' }, auth: (s) => ({ headers: { 'x-key': s('api_key') } }) }
export const p = provider(say, { vendor, run: async (input, ctx) => { ${body} } })`

/** Sends a file where the vendor says, waits for its job, and takes what it made. */
const GOOD = `
  const first = await ctx.api.json({ method: 'POST', path: '/jobs', json: input }, Job)
  const source = await ctx.scratch.write(new TextEncoder().encode('source'))
  await ctx.api.upload(first.up, { multipart: [{ name: 'key', data: 'k' }, { name: 'file', filename: 'a.txt', data: source, contentType: 'text/plain' }] })
  const down = await poll(ctx, {
    ask: (own) => own.api.json({ path: '/jobs/1' }, Job),
    read: ({ s, down }) => s === 'bad' ? { state: 'failed', fault: new Fault('missing', 'no') } : s === 'run' ? { state: 'running' } : { state: 'done', result: down },
    cancel: (own) => own.api.text({ method: 'DELETE', path: '/jobs/1' }),
  })
  const { file } = await ctx.api.download(down, { kinds: ['application/pdf'] })
  return { file, text: 'made' }`
const PDF = '%PDF-1.7 made'
const multipart = [
  { name: 'key', text: 'k' },
  { name: 'file', filename: 'a.txt', contentType: 'text/plain', text: 'source' },
]
const up = 'https://storage.example.com/up?sig=1'
const down = 'https://storage.example.com/down?sig=2'
const post = { request: { method: 'POST', path: '/jobs', json: { text: 'hi' } }, reply: { json: { s: 'made', up } } }
const poll = (json: unknown) => ({ request: { method: 'GET', path: '/jobs/1' }, reply: { json } })
const form = (parts: readonly object[]) => ({ request: { method: 'POST', address: up, multipart: parts }, reply: { status: 204 } })
const given = (reply: object) => ({
  request: { method: 'GET', address: down },
  reply: { headers: { 'content-type': 'application/pdf' }, ...reply },
})
const input = { text: 'hi' }
const sha = (text: string): string => createHash('sha256').update(text).digest('hex')
const made = (parts: readonly object[] = multipart, reply: object = { text: PDF }, file: object = { text: PDF }): FixtureCase =>
  ({
    name: 'made',
    input,
    exchanges: [post, form(parts), poll({ s: 'run' }), poll({ s: 'done', down }), given(reply)],
    output: { file: { $file: file }, text: 'made' },
  }) as FixtureCase
const failing: FixtureCase = {
  name: 'fails',
  input,
  exchanges: [post, form(multipart), poll({ s: 'bad' })],
  fault: { kind: 'missing' },
} as FixtureCase

describe('the conformance suite: files and jobs of vendors', () => {
  let folder: PluginFolder
  beforeEach(async () => {
    folder = await PluginFolder.make()
  })
  afterEach(() => folder.remove())

  const results = async (cases: readonly FixtureCase[], body = GOOD, files: Readonly<Record<string, string>> = {}, only = '') => {
    await folder.write('say', {
      'index.mjs': "import { plugin } from 'capstan/sdk'\nexport const m = plugin({ name: 'say', version: '1', sdk: 2, title: 'Say' })",
      'contract.mjs': contract,
      'providers/acme.mjs': provider(body),
      'fixtures/acme.say.json': JSON.stringify({ cases }),
      'README.md': 'acme',
      ...files,
    })
    const registry = await load({ thirdParty: [folder.path] })
    const suite = await runConformance(registry, { clock: systemClock, plugins: ['say'] })
    const { results: all } = await runCases(suite.cases.filter(({ name }) => name.includes(only)))
    await suite.close()
    return all
  }
  const failed = async (...about: Parameters<typeof results>): Promise<string[]> =>
    (await results(...about)).flatMap(({ name, state, reason }) => (state === 'failed' ? [`${name}: ${reason ?? ''}`] : []))

  it('passes what is right, and plays a job and a file that go wrong', async () => {
    const all = await results([made(), failing])
    expect(all.filter(({ state }) => state !== 'passed')).to.deep.equal([])
    const names = all.map(({ name }) => name.replace('acme.say: ', ''))
    expect(names).to.include.members([
      'handles a job that never ends',
      'handles a job that is forgotten (404)',
      'records a job that fails',
      'handles a file that is cut short',
      'handles a page in place of a file',
      'handles a page that is called a file',
      'handles a result link that has expired (403)',
    ])
  })

  it('compares bytes by SHA-256, size, Base64 and files beside the fixture, and files of the output by what they are', async () => {
    const parts = [
      { name: 'key', size: 1 },
      { name: 'file', filename: 'a.txt', contentType: 'text/plain', sha256: sha('source'), size: 6 },
    ]
    const files = { 'fixtures/files/made.pdf': PDF, 'fixtures/files/source.txt': 'source' }
    expect(
      await failed([made(parts, { file: 'made.pdf' }, { kind: 'application/pdf', size: 13, sha256: sha(PDF) }), failing], GOOD, {
        'fixtures/files/made.pdf': PDF,
      }),
    ).to.deep.equal([])
    const named = [
      { name: 'key', text: 'k' },
      { name: 'file', filename: 'a.txt', contentType: 'text/plain', file: 'source.txt' },
    ]
    expect(
      await failed([made(named, { base64: Buffer.from(PDF).toString('base64') }, { file: 'made.pdf' }), failing], GOOD, files),
    ).to.deep.equal([])
  })

  const [key, file] = multipart
  const wrong: [string, FixtureCase, string][] = [
    ['a part more', made([...multipart, { name: 'x', text: '' }]), 'the form has 2 parts, expected 3'],
    ['a part less', made([key ?? {}]), 'the form has 2 parts, expected 1'],
    ['parts in another order', made([file ?? {}, key ?? {}]), 'part 1 is named key, expected file'],
    ['another file name', made([key ?? {}, { ...file, filename: 'b.txt' }]), 'has the file name a.txt, expected b.txt'],
    [
      'a file name that is not recorded',
      made([key ?? {}, { name: 'file', contentType: 'text/plain', text: 'source' }]),
      'has the file name a.txt, expected none',
    ],
    ['another type', made([key ?? {}, { ...file, contentType: 'text/csv' }]), 'is of type text/plain, expected text/csv'],
    [
      'a type that is not recorded',
      made([key ?? {}, { name: 'file', filename: 'a.txt', text: 'source' }]),
      'is of type text/plain, expected application/octet-stream',
    ],
    ['other bytes', made([key ?? {}, { ...file, text: 'sauce' }]), 'part file is "source"'],
    [
      'bytes that are not recorded',
      made([key ?? {}, { name: 'file', filename: 'a.txt', contentType: 'text/plain' }]),
      'but none are recorded',
    ],
    [
      'another SHA-256',
      made([key ?? {}, { name: 'file', filename: 'a.txt', contentType: 'text/plain', sha256: sha('x') }]),
      'bytes with SHA-256',
    ],
    ['another size', made([key ?? {}, { name: 'file', filename: 'a.txt', contentType: 'text/plain', size: 7 }]), '6 bytes, expected 7'],
    ['another file in the output', made(multipart, { text: PDF }, { text: 'x' }), 'output/file/$file is "%PDF-1.7 made"'],
    [
      'a file of another kind in the output',
      made(multipart, { text: PDF }, { kind: 'image/png' }),
      'output/file/$file/kind is "application/pdf"',
    ],
    ['an unknown field of a file', made(multipart, { text: PDF }, { bytes: 1 }), 'output/file/$file has the unknown field "bytes"'],
    [
      'a file where there is none',
      { ...made(), output: { file: { $file: { text: PDF } }, text: { $file: { size: 1 } } } },
      'output/text is neither a file of the call',
    ],
  ]
  for (const [title, fixture, message] of wrong)
    it(`finds ${title}`, async () => {
      const found = await failed([fixture, failing], GOOD, {}, ': made')
      expect(found.find((line) => line.startsWith('acme.say: made'))).to.contain(message)
    })

  it('finds a secret that goes to an address of a reply', async () => {
    const body = GOOD.replace(
      "{ multipart: [{ name: 'key'",
      "{ headers: { authorization: ctx.secret('api_key') }, multipart: [{ name: 'key'",
    )
    expect((await failed([made(), failing], body)).find((line) => line.startsWith('acme.say: made'))).to.contain(
      'was sent with a secret of the vendor',
    )
  })

  it('finds fixtures whose files are not there, are not used, or lie elsewhere, and requests without one address', async () => {
    const fixture = made(multipart, { file: 'made.pdf' })
    expect((await failed([fixture, failing])).join()).to.contain('made.pdf')
    expect((await failed([made(), failing], GOOD, { 'fixtures/files/idle.pdf': PDF })).join()).to.contain(
      'fixtures/files/idle.pdf is not used by any fixture',
    )
    expect((await failed([made(multipart, { file: '../x' }), failing])).join()).to.contain('must match pattern')
    const both = { ...made(), exchanges: [{ ...post, request: { ...post.request, address: up } }] } as FixtureCase
    expect((await failed([both, failing])).join()).to.contain('must have either path or address')
  })

  const bad: [string, string, RegExp][] = [
    [
      'takes any file for the result',
      GOOD.replace(", { kinds: ['application/pdf'] }", ", { kinds: ['text/html', 'application/pdf'] }"),
      /handles a page in place of a file: it returned a result/,
    ],
    [
      'takes an expired link for nothing found',
      GOOD.replace(
        "const { file } = await ctx.api.download(down, { kinds: ['application/pdf'] })",
        'let file; try { file = (await ctx.api.download(down)).file } catch { return null }',
      ),
      /expired \(404\): it ended with nothing/,
    ],
    [
      'fetches the link as if a caller had given it',
      GOOD.replace(
        "const { file } = await ctx.api.download(down, { kinds: ['application/pdf'] })",
        'const file = await ctx.scratch.fetch(down)',
      ),
      /ctx.web: https:\/\/storage/,
    ],
    [
      'waits on its own and gives up a job as nothing found',
      GOOD.replace(
        /const down = await poll[^]*?\n {2}\}\)/,
        "let down; for (let n = 0; n < 5 && !down; n++) { const j = await ctx.api.json({ path: '/jobs/1' }, Job); if (j.s === 'bad') throw new Fault('missing', 'no'); down = j.down; await ctx.wait(1000) }\n  if (!down) return null",
      ),
      /a job that never ends: it ended with nothing/,
    ],
    [
      'polls without waiting',
      GOOD.replace(
        /const down = await poll[^]*?\n {2}\}\)/,
        "let down; while (!down) { const j = await ctx.api.json({ path: '/jobs/1' }, Job); if (j.s === 'bad') throw new Fault('missing', 'no'); down = j.down }",
      ),
      /a job that never ends: more than 500 requests/,
    ],
    [
      'cancels nothing',
      GOOD.replace("(own) => own.api.text({ method: 'DELETE', path: '/jobs/1' })", 'async () => null'),
      /never ends: it gives the job up without a request to the vendor to cancel it/,
    ],
  ]
  for (const [title, body, message] of bad)
    it(`finds a provider that ${title}`, async () => {
      expect((await failed([made(), failing], body)).join('\n')).to.match(message)
    })

  it('requires a case of a job that fails', async () => {
    expect(await failed([made()])).to.deep.equal([
      'acme.say: records a job that fails: no case records a job that fails: one that ends with a fault or nothing, by what GET /jobs/1 answers',
    ])
  })

  it('T7 sends garbage to providers of the run form, and checks the kind of Fault for 401 and 402', async () => {
    const call = "const { s } = await ctx.api.json({ method: 'POST', path: '/jobs', json: input }, Job)"
    const fixture = { name: 'x', input, exchanges: [post], output: { file: null, text: 'made' } } as FixtureCase
    expect(await failed([fixture], `${call}; return { file: null, text: s }`)).to.deep.equal([])
    const lenient = await failed(
      [fixture],
      `const text = await ctx.api.text({ method: 'POST', path: '/jobs', json: input }); return { file: null, text: text.includes('<') ? text : 'made' }`,
    )
    expect(lenient.join()).to.match(/garbage: it returned a result/)
    const hiding = await failed(
      [fixture],
      `try { ${call}; return { file: null, text: s } } catch (e) { if (e.status === 401) return null; if (e.status === 402) throw new Fault('broken', 'x'); throw e }`,
    )
    expect(hiding.join())
      .to.match(/401: it ended with nothing, expected the fault "credentials"/)
      .and.to.match(/402: it ended with the fault "broken", expected "quota"/)
  })
})

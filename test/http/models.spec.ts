import { expect } from 'chai'
import type { IncomingMessage } from 'node:http'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { index } from '../support/loader-texts.js'
import { PluginFolder } from '../support/loader.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { expectProblem } from '../support/problem.js'

interface ModelRequest {
  readonly messages: readonly {
    readonly content: string | readonly { readonly type: string; readonly text?: string; readonly image_url?: { url: string } }[]
  }[]
}

const shared = (file: string): string => new URL(`../../plugins/${file}`, import.meta.url).href
/** A capability over whatever model there is: JSON from a text, with a picture where one is given. */
const CONTRACT = `import { capability, flat, handle, or, nullable, provider, SchemaCompiler, vendor, Type } from 'capstan/sdk'
import { chat } from 'capstan/contracts/llm'
import { documentPages } from 'capstan/contracts/reading'
import { callerSchema } from '${shared('documents/schema/caller-schema.js')}'
import { checkedSchema } from '${shared('documents/schema/checked-schema.js')}'
import { modelJson, modelTakes } from '${shared('_shared/model-json.js')}'
const schema = Type.Record(Type.String(), Type.Unknown(), { description: 'Schema.' })
export const extract = capability({
  id: 'demo_extract', path: '/v1/demo-extract', title: 'Extract', description: 'Extracts.',
  input: Type.Object({ text: Type.String({ description: 'Text.' }), schema, picture: or(nullable(Type.String({ description: 'Base64.' })), null), type: or(Type.String({ description: 'Type.' }), 'image/png') }),
  output: Type.Object({ extracted: Type.Unknown(), sees: Type.Boolean(), pdf: Type.Boolean() }),
  price: flat(1), work: 'light', uses: [chat], bodyLimit: 8_000_000, examples: [{ title: 'One', params: { text: 'x', schema: { type: 'object' } } }],
  check: ({ schema }) => checkedSchema(schema, ['schema']).violations,
})
export const run = handle(extract, async ({ text, schema, picture, type }, ctx) => {
  const wanted = await callerSchema(ctx, schema, ['schema'])
  const files = picture === null ? [] : [{ file: await ctx.scratch.decode(picture), content_type: type }]
  await wanted.violations({})
  const shape = new SchemaCompiler().compile(wanted.schema)
  const extracted = await modelJson(ctx, { prompt: 'Extract.', document: text, keep: 'ends', files }, shape)
  if ((await wanted.violations(extracted)).length > 0) throw new Error('the model was taken at its word')
  return { extracted, sees: modelTakes(ctx, 'image/png'), pdf: modelTakes(ctx, 'application/pdf') }
})
const local = vendor({ id: 'pages', title: 'Pages' })
export const pages = provider(documentPages, { vendor: local, run: async ({ file, most }, ctx) => {
  const page = async () => ({ file: await ctx.scratch.write(new Uint8Array([1, 2, 3, 4])), content_type: 'image/png' })
  return { pages: [await page(), await page()], total: 5 }
} })
`

const SCHEMA = {
  type: 'object',
  properties: { total: { type: 'number', minimum: 0 }, code: { type: 'string', pattern: '^[A-Z]+$' } },
  required: ['total', 'code'],
}

describe('a language model behind a capability', function () {
  this.timeout(60_000)
  let server: Running
  let folder: PluginFolder
  let gateway: TestGateway
  let requests: ModelRequest[] = []
  let answers: unknown[] = []

  before(async () => {
    server = await httpServer((request, response) => {
      void bodyOf(request).then((body) => {
        requests.push(JSON.parse(body) as ModelRequest)
        const content = answers.shift()
        if (content === undefined) response.statusCode = 500
        response.setHeader('content-type', 'application/json')
        const message = { role: 'assistant', content: JSON.stringify(content) }
        const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 }
        response.end(
          JSON.stringify({
            id: 'c',
            object: 'chat.completion',
            created: 1,
            model: 'm',
            choices: [{ index: 0, finish_reason: 'stop', message }],
            usage,
          }),
        )
      })
    })
    folder = await PluginFolder.make()
    await folder.write('demo', { 'index.ts': index('demo', '', 'capstan/sdk'), 'contract.ts': CONTRACT })
    gateway = await startGateway({
      bundled: true,
      env: {
        CAPSTAN_PLUGINS: folder.path,
        CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: `http://127.0.0.1:${server.port}/v1`,
        CAPSTAN_OPENAI_COMPATIBLE_MODEL: 'local-model',
        CAPSTAN_OPENAI_COMPATIBLE_CONTEXT: '20000',
        CAPSTAN_OPENAI_COMPATIBLE_VISION: 'on',
        CAPSTAN_WATERFALL_DOCUMENT_PAGES: 'pages',
      },
    })
  })
  after(async () => {
    await gateway?.close()
    await server?.close()
    await folder?.remove()
  })
  beforeEach(() => {
    requests = []
    answers = []
  })
  const extract = (body: Record<string, unknown>, key = gateway.key) =>
    gateway.send('/v1/demo-extract', { body: { text: 'Some text.', schema: SCHEMA, ...body }, key })
  const partsOf = ({ messages }: ModelRequest) => {
    const content = messages.at(-1)?.content ?? ''
    return typeof content === 'string' ? [{ type: 'text', text: content }] : content
  }
  const textOf = (each: ModelRequest | undefined): string =>
    each === undefined ? '' : (partsOf(each).find(({ type }) => type === 'text') as { text: string }).text

  it('answers by the caller’s schema, repaired once, and says what the vendor counted', async () => {
    answers = [
      { total: -1, code: 'ab' },
      { total: 2, code: 'AB' },
    ]
    const reply = await extract({})
    expect(reply.status, reply.text).to.equal(200)
    const { data, metadata } = reply.json()
    expect(data).to.deep.equal({ extracted: { total: 2, code: 'AB' }, sees: true, pdf: false })
    expect(metadata.usage).to.deep.equal([{ provider: 'openai-compatible', model: 'local-model', input_tokens: 200, output_tokens: 14 }])
    expect(metadata).not.to.have.property('notes')
    expect(textOf(requests[0])).to.match(/^Extract\.\n\n.*\n\nSome text\.$/)
    expect(textOf(requests[1]))
      .to.contain('/total must be >= 0')
      .and.contain('/code must match pattern')
      .and.match(/Some text\.$/)
    const { text } = await gateway.app.services.telemetry.metrics()
    expect(text).to.contain('capstan_model_tokens_total{vendor="openai-compatible",direction="input"} 200')
  })

  it('fails, uncharged, when the second answer does not fit either, and says what was counted all the same', async () => {
    answers = [{ total: 'x' }, { total: 'y' }]
    const { balance } = await gateway.money()
    const reply = await extract({})
    expectProblem(reply, 'providers-failed')
    expect(reply.json().metadata.usage).to.have.length(1)
    expect((await gateway.money()).balance).to.equal(balance)
  })

  it('a bad schema is 422 at its keyword, and no model is called', async () => {
    const form = await extract({ schema: { properties: { a: { $ref: 'https://example.com/s.json' } } } })
    expectProblem(form, 'validation-failed')
    expect(form.json().detail?.[0]).to.deep.equal({
      loc: ['body', 'schema', 'properties', 'a', '$ref'],
      msg: 'properties.a.$ref must point into this schema, such as #/$defs/name',
      type: 'json_schema',
    })
    expect(form.json().error?.detail).to.match(/[^.]\.$/)
    const pattern = await extract({ schema: { properties: { a: { pattern: '(?=x)' } } } })
    expectProblem(pattern, 'validation-failed')
    expect(pattern.json().detail?.[0]?.loc).to.deep.equal(['body', 'schema', 'properties', 'a', 'pattern'])
    expect(requests).to.deep.equal([])
  })

  it('a long document is cut to the context, and the answer says so', async () => {
    answers = [{ total: 1, code: 'A' }]
    const text = `BEGIN. ${'Here is a sentence. '.repeat(10_000)}END.`
    const { metadata } = (await extract({ text })).json<{ metadata: { notes?: string[] } }>()
    expect(metadata.notes?.join()).to.contain('longer than the context')
    const shown = textOf(requests[0])
    expect(shown.length).to.be.within(50_000, 19_000 * 3.5)
    expect(shown).to.match(/BEGIN\. Here is a sentence\.[\s\S]*sentence\.\n\n\[…\]\n\nHere is a sentence\.[\s\S]*END\.$/)
  })

  it('a picture goes along in Base64, byte for byte', async () => {
    answers = [{ total: 1, code: 'A' }]
    const picture = Buffer.from(Array.from({ length: 200_001 }, (_, at) => (at * 7) % 256)).toString('base64')
    expect((await extract({ picture, type: 'image/webp' })).status).to.equal(200)
    const parts = requests[0] === undefined ? [] : partsOf(requests[0])
    expect(parts.map(({ type }) => type)).to.deep.equal(['image_url', 'text'])
    expect(parts[0]).to.deep.equal({ type: 'image_url', image_url: { url: `data:image/webp;base64,${picture}` } })
  })

  it('a PDF is shown as pictures of its pages where no model takes it', async () => {
    answers = [{ total: 1, code: 'A' }]
    const reply = await extract({ picture: 'JVBERg==', type: 'application/pdf' })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json().metadata.notes).to.deep.equal(['The model saw the first 2 pages of the document.'])
    expect(requests[0] === undefined ? [] : partsOf(requests[0]).map(({ type }) => type)).to.deep.equal(['image_url', 'image_url', 'text'])
  })

  it('a picture that is too large is the caller’s fault', async () => {
    const reply = await extract({ picture: Buffer.alloc(3_750_001).toString('base64') })
    expectProblem(reply, 'validation-failed')
    expect(reply.text).to.contain('3750000 bytes')
    expect(requests).to.deep.equal([])
  })

  it('T-50 a schema that needs too long is 422 at its field and costs nothing, and the next call is served', async () => {
    const twice = (at: number) => ({ allOf: [{ $ref: `#/$defs/a${String(at + 1)}` }, { $ref: `#/$defs/a${String(at + 1)}` }] })
    const $defs = { ...Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`a${String(at)}`, twice(at)])), a40: { type: 'object' } }
    const { key } = await gateway.newAccount(100)
    answers = [{}]
    const reply = await extract({ schema: { $ref: '#/$defs/a0', $defs } }, key)
    expectProblem(reply, 'validation-failed')
    expect(reply.json().detail?.[0]?.loc).to.deep.equal(['body', 'schema'])
    expect(reply.json().credits_used).to.equal(0)
    answers = [{ total: 1, code: 'A' }]
    expect((await extract({}, key)).status, 'the next').to.equal(200)
  })

  it('the description of the API names what was counted', async () => {
    expect((await gateway.get('/v1/openapi.json')).text).to.contain('"input_tokens"')
  })
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

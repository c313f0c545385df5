import { expect } from 'chai'
import sinon from 'sinon'
import { Fault, type Call, type ModelTokens, type ProviderContext, type Static } from '../../core/sdk/index.js'
import { type chat } from './contract.js'
import { anthropic } from '../_vendors/anthropic.js'
import { gemini } from '../_vendors/gemini.js'
import { openaiCompatible } from '../_vendors/openai-compatible.js'
import { ask, type ModelSettings, type Question } from './ask.js'
import { base64Length, takesFiles, writeBase64 } from './files.js'
import { hasRoom } from './room.js'
import { parsedAnswer } from './parsed-answer.js'
import { schemaForm } from './schema-form.js'
import { openaiCompatibleChat } from './providers/openai-compatible.js'
import { transport } from './transport.js'
import { cpuOf } from '../../test/support/time.js'

type Answer = Static<typeof chat.output>
const run = openaiCompatibleChat.run as unknown as (input: object, context: ProviderContext<ModelSettings>) => Promise<Answer | null>
const question: Question = { system: null, prompt: 'red kettle?', document: null, keep: 'start', files: [], max_tokens: 50, schema: null }

function context(baseUrl: string, reply: (call: Call) => unknown) {
  const calls: Call[] = []
  const controller = new AbortController()
  const tokens: ModelTokens[] = []
  const ctx = {
    baseUrl,
    settings: { model: 'm', context: 100_000 },
    tokens: (used: ModelTokens) => void tokens.push(used),
    signal: controller.signal,
    log: () => undefined,
    api: {
      bytes: async (call: Call) => {
        calls.push(call)
        return {
          url: '',
          status: 200,
          headers: {},
          contentType: 'application/json',
          charset: '',
          bytes: Buffer.from(JSON.stringify(reply(call))),
        }
      },
    },
  }
  return { ctx: ctx as unknown as ProviderContext<ModelSettings>, calls, tokens, stop: () => controller.abort(new Error('stopped')) }
}

const completion = (content: string) => ({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
})

describe('llm: the way to the vendor', () => {
  it('the library asks through the core, and neither its key nor its headers go along', async () => {
    const { ctx, calls } = context('https://models.example/v1', () => completion('Red.'))
    expect(await run(question, ctx)).to.deep.equal({ text: 'Red.', object: null, truncated: false })
    expect(calls).to.have.length(1)
    expect(calls[0]).to.include({ method: 'POST', path: '/chat/completions' })
    expect(calls[0]).not.to.have.property('headers')
    expect(calls[0]?.json).to.deep.equal({ model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'red kettle?' }] })
  })

  it('the limit has the name that the official server wants', async () => {
    const { ctx, calls } = context('https://api.openai.com/v1', () => completion('Red.'))
    await run(question, ctx)
    expect(calls[0]?.json).to.include({ max_completion_tokens: 50 }).and.not.have.property('max_tokens')
  })

  it('a library that asks another address is stopped before anything is sent', async () => {
    const { ctx, calls } = context('https://models.example/v1', () => completion('Red.'))
    for (const address of ['https://evil.example/v1/chat/completions', 'https://models.example/v1evil/x', 'https://models.example/']) {
      const error = await transport(ctx)
        .fetch(address, { method: 'POST', body: '{}' })
        .catch((reason: unknown) => reason)
      expect(Fault.is(error), address).to.equal(true)
    }
    expect(calls).to.deep.equal([])
  })

  it('the Fault of the vendor comes out as it is, whatever the library wraps it in', async () => {
    const fault = new Fault('quota', 'used up')
    const { ctx, calls } = context('https://models.example/v1', () => {
      throw fault
    })
    expect(await run(question, ctx).catch((reason: unknown) => reason)).to.equal(fault)
    expect(calls, 'asked once: the core decides about repeating').to.have.length(1)
  })

  it('T-27 a reply of another shape is a broken vendor', async () => {
    for (const reply of [{}, [], 'x', { choices: [] }, { choices: [{ message: 5 }] }]) {
      const { ctx } = context('https://models.example/v1', () => reply)
      const error = await run(question, ctx).catch((reason: unknown) => reason)
      expect(Fault.is(error) && error.kind, JSON.stringify(reply)).to.equal('broken')
    }
  })

  it('T-27 a reply of millions of values is a broken vendor before the library builds it', async () => {
    for (const reply of [`${'['.repeat(600)}${']'.repeat(600)}`, `[${'{},'.repeat(500_000)}{}]`]) {
      const { ctx } = context('https://models.example/v1', () => JSON.parse(reply))
      const error = await run(question, ctx).catch((reason: unknown) => reason)
      expect(error)
        .to.include({ kind: 'broken' })
        .with.property('internal')
        .that.matches(/too (?:deep|many)/)
    }
  })

  it('an answer of any size is parsed once, and by the library never', async () => {
    const long = JSON.stringify({ colours: Array.from({ length: 20_000 }, (_, at) => `colour ${String(at)}`) })
    const { ctx } = context('https://models.example/v1', () => completion(long))
    const parse = sinon.spy(JSON, 'parse')
    try {
      expect(await run({ ...question, schema: { type: 'object' } }, ctx)).to.have.property('text', long)
      expect(parse.args.filter(([text]) => text === long)).to.have.length(1)
    } finally {
      parse.restore()
    }
    const { ctx: deep, calls } = context('https://models.example/v1', () => completion('['.repeat(1_000)))
    const parsed = sinon.spy(JSON, 'parse')
    try {
      expect(await run({ ...question, schema: { type: 'object' } }, deep)).to.equal(null)
      expect(parsed.args.filter(([text]) => text.startsWith('[[['))).to.deep.equal([])
      expect(calls).to.have.length(3)
    } finally {
      parsed.restore()
    }
  })

  it('whether a long reply is a failure is determined without listing its bytes', () => {
    const listed: string[] = []
    const body = new Proxy(new Uint8Array(4), { ownKeys: (bytes) => (listed.push('all'), Reflect.ownKeys(bytes)) })
    for (const vendor of [openaiCompatible, anthropic, gemini])
      for (const status of [200, 400, 429]) vendor.fault?.({ status, headers: {}, body, text: '' } as never)
    expect(listed).to.deep.equal([])
  })

  it('an empty answer is none', async () => {
    const { ctx } = context('https://models.example/v1', () => completion('  '))
    expect(await run(question, ctx)).to.equal(null)
  })

  it('a server asked three times for JSON is not asked a fourth', async () => {
    const { ctx, calls } = context('https://models.example/v1', () => completion('no json here'))
    expect(await run({ ...question, schema: { type: 'object' } }, ctx)).to.equal(null)
    expect(calls.map(({ json }) => (json as { response_format?: { type: string } }).response_format?.type ?? 'text')).to.deep.equal([
      'json_schema',
      'json_object',
      'text',
    ])
  })

  it('a failure that has nothing to do with the form is not tried in another', async () => {
    const { ctx, calls } = context('https://models.example/v1', () => {
      throw new Fault('broken', 'failed')
    })
    await run({ ...question, schema: { type: 'object' } }, ctx).catch(() => undefined)
    expect(calls).to.have.length(1)
  })

  it('A6 a request that is stopped before its reply counts what it sent, as an estimate; one that the vendor refused counts nothing', async () => {
    const outcomes = [new Error('stopped'), new Fault('busy', 'Too many requests.')].map(async (error) => {
      const { ctx, tokens, stop } = context('https://models.example/v1', () => {
        if (!Fault.is(error)) stop()
        throw error
      })
      await run({ ...question, document: 'x'.repeat(35_000) }, ctx).catch(() => undefined)
      return tokens.map(({ input, ...more }) => ({ ...more, thousands: Math.round(input / 1_000) }))
    })
    expect(await Promise.all(outcomes)).to.deep.equal([[{ model: 'm', output: 0, estimated: true, thousands: 10 }], []])
  })

  it('what is thrown when the call was stopped is not called a broken vendor', async () => {
    const { ctx, stop } = context('https://models.example/v1', () => {
      stop()
      throw new Error('stopped')
    })
    const error = await ask(question, ctx, async (fetch) =>
      (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({ name: 'x', baseURL: ctx.baseUrl, fetch }).chatModel('m'),
    ).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Error)
    expect(Fault.is(error)).to.equal(false)
  })
})

describe('llm: schemas for strict mode', () => {
  const closed = (properties: object, required: string[]) => ({ type: 'object', properties, required, additionalProperties: false })
  const cases: [string, unknown, boolean][] = [
    ['closed, all required', closed({ a: { type: 'string' } }, ['a']), true],
    ['open', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, false],
    ['a property not required', closed({ a: { type: 'string' } }, []), false],
    ['an open object in a list', closed({ a: { type: 'array', items: { type: 'object' } } }, ['a']), false],
    ['a bare object', { type: 'object' }, false],
  ]
  for (const [name, schema, strict] of cases) {
    it(`${name}: strict ${String(strict)}`, async () => {
      expect(schemaForm(schema).strict).to.equal(strict)
      const { ctx, calls } = context('https://models.example/v1', () => completion('{"a":"x"}'))
      await run({ ...question, schema }, ctx)
      expect((calls[0]?.json as { response_format: { json_schema: { strict: boolean } } }).response_format.json_schema.strict).to.equal(
        strict,
      )
    })
  }

  it('a schema nested without end is not looked through', () => {
    let deep: unknown = { type: 'string' }
    for (let level = 0; level < 50_000; level++) deep = { items: deep }
    expect(schemaForm(deep).strict).to.equal(false)
  })
})

describe('llm: JSON in an answer', () => {
  const cases: [string, string, unknown][] = [
    ['plain', '{"a":1}', { a: 1 }],
    ['fenced', '```json\n{"a":1}\n```', { a: 1 }],
    ['between words', 'Sure! {"a":[1,2]} Anything else?', { a: [1, 2] }],
    ['a list', 'The list: [1,2].', [1, 2]],
    ['a bare value', ' null ', null],
    ['none', 'no json', undefined],
    ['cut', '{"a":', undefined],
    ['wrong way round', '} and {', undefined],
  ]
  for (const [name, text, value] of cases) it(`${name}: ${JSON.stringify(text)}`, () => expect(parsedAnswer(text)).to.deep.equal(value))

  it('T-74 is found in linear time', async () => {
    for (const text of ['{'.repeat(200_000), '}'.repeat(200_000), '{"a":'.repeat(40_000), '[]'.repeat(100_000)]) {
      expect(await cpuOf(() => parsedAnswer(text))).to.be.below(500)
    }
  })
})

describe('llm: statuses that mislead', () => {
  const reply = (status: number, body: unknown, headers: Record<string, string> = {}) => ({ status, headers, body })

  it('gemini says in the details how long to wait', () => {
    const fault = gemini.fault(
      reply(429, { error: { status: 'RESOURCE_EXHAUSTED', details: [{ '@type': 'x/google.rpc.RetryInfo', retryDelay: '43.2s' }] } }),
    )
    expect([fault?.kind, fault?.retryAfterSeconds]).to.deep.equal(['busy', 44])
  })

  it('without details the status and its Retry-After speak', () => {
    expect(gemini.fault(reply(429, { error: { status: 'RESOURCE_EXHAUSTED' } }))).to.equal(undefined)
    expect(anthropic.fault(reply(429, { error: { type: 'rate_limit_error' } }))).to.equal(undefined)
    expect(openaiCompatible.fault(reply(429, { error: { code: 'rate_limit_exceeded' } }))).to.equal(undefined)
  })

  it('what an error quotes from the question is not taken for a reason', () => {
    const quoting = {
      error: {
        message: 'cannot answer "API_KEY_INVALID insufficient_quota enforced_spend_limit_reached"',
        status: 'INVALID_ARGUMENT',
        type: 'invalid_request_error',
      },
    }
    expect(gemini.fault(reply(400, quoting))).to.equal(undefined)
    expect(anthropic.fault(reply(429, quoting))).to.equal(undefined)
    expect(openaiCompatible.fault(reply(429, quoting))).to.equal(undefined)
  })

  it('bodies of any shape are read without harm', () => {
    for (const vendor of [gemini, anthropic, openaiCompatible])
      for (const body of [null, '', 'x', 5, [], {}, { error: null }, { error: 'x' }, { error: { details: 'x' } }])
        expect(() => vendor.fault(reply(429, body))).not.to.throw()
  })

  it('a server without keys is not sent an empty one', () => {
    expect(openaiCompatible.auth(() => '')).to.deep.equal({})
    expect(openaiCompatible.auth(() => 'k')).to.deep.equal({ headers: { authorization: 'Bearer k' } })
  })
})

describe('llm: what the vendor counted', () => {
  const counted = { ...completion('{"a":'), usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }

  it('is reported for every request, also one whose answer is of no use', async () => {
    const { ctx, tokens } = context('https://models.example/v1', () => counted)
    expect(await run({ ...question, schema: { type: 'object' } }, ctx)).to.equal(null)
    expect(tokens).to.deep.equal(Array(3).fill({ model: 'm', input: 5, output: 2 }))
  })

  it('is not made up for a server that says nothing', async () => {
    const { ctx, tokens } = context('https://models.example/v1', () => completion('Red.'))
    await run(question, ctx)
    expect(tokens).to.deep.equal([])
  })
})

describe('llm: pictures and documents', () => {
  const shown = (content_type: Question['files'][number]['content_type'], size = 1) => ({
    file: { id: '0'.repeat(32), size },
    content_type,
  })
  const scratch = (...chunks: Uint8Array[]) =>
    ({
      scratch: {
        read: () =>
          (async function* () {
            yield* chunks
          })(),
      },
    }) as unknown as ProviderContext

  it('who takes what is for the setting to say, and for auto what is known of the vendor', () => {
    const rows = (['off', 'on', 'pdf'] as const).map((vision) => [
      takesFiles([], vision, 'pdf'),
      takesFiles([shown('image/png')], vision, 'pdf'),
      takesFiles([shown('application/pdf')], vision, 'pdf'),
    ])
    expect(rows).to.deep.equal([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ])
    expect([takesFiles([shown('image/gif')], 'auto', 'on'), takesFiles([shown('image/gif')], 'auto', 'off')]).to.deep.equal([true, false])
  })

  it('a server of the operator takes none unless the setting says so; OpenAI takes pictures and PDF', () => {
    const { serves } = openaiCompatibleChat
    const ask = (baseUrl: string, vision: string) =>
      serves?.({ ...question, files: [shown('application/pdf')] } as never, { baseUrl, settings: { vision, context: 100_000 } } as never)
    expect([
      ask('https://api.openai.com/v1', 'auto'),
      ask('http://127.0.0.1:11434/v1', 'auto'),
      ask('http://127.0.0.1:11434/v1', 'pdf'),
    ]).to.deep.equal([true, false, true])
    expect([ask('https://api.openai.com/v1', 'off'), ask('https://api.openai.com/v1', 'on')]).to.deep.equal([false, false])
  })

  const written = async (size: number, ...chunks: Uint8Array[]): Promise<string> => {
    const into = Buffer.alloc(base64Length(size))
    await writeBase64({ id: '', size }, scratch(...chunks), into)
    return into.toString('latin1')
  }

  it('Base64 of a stream is that of the whole, wherever its chunks end', async () => {
    for (const length of [1_000, 999, 1_001, 1, 0]) {
      const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 31) % 256))
      for (const size of [1, 2, 3, 7, 256, 1_000]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
        expect(await written(length, ...chunks)).to.equal(bytes.toString('base64'))
      }
    }
  })

  it('a file that is not of its stated size is refused while it is read', async () => {
    for (const size of [1, 6, 11, 13]) {
      const error: unknown = await written(size, Buffer.alloc(6), Buffer.alloc(6)).catch((reason: unknown) => reason)
      expect(Fault.is(error) && error.kind, String(size)).to.equal('broken')
    }
  })

  it('a long question is sent as it was written', async () => {
    const { ctx, calls } = context('https://models.example/v1', () => completion('Red.'))
    const prompt = `${'é"\n'.repeat(30_000)}end`
    await run({ ...question, prompt }, ctx)
    const bytes = calls[0]?.bytes?.data
    if (!(bytes instanceof Uint8Array)) throw new TypeError('the question was not sent from memory')
    const sent = JSON.parse(Buffer.from(bytes).toString()) as { messages: { content: string }[] }
    expect(sent.messages[0]?.content).to.equal(prompt)
    expect(calls[0]?.bytes?.contentType).to.equal('application/json')
  })

  it('a question without room in the context is passed over', () => {
    const long = 'x'.repeat(3_500)
    expect([hasRoom({ ...question, prompt: long }, 1_200), hasRoom({ ...question, prompt: long }, 1_300)]).to.deep.equal([false, true])
    expect(hasRoom({ ...question, document: long.repeat(100) }, 600), 'a document is cut').to.equal(true)
    expect(hasRoom({ ...question, document: long }, 400), 'but not to nothing').to.equal(false)
    expect([
      hasRoom({ ...question, files: [shown('image/png')] }, 1_500),
      hasRoom({ ...question, files: [shown('application/pdf', 50_000)] }, 2_000),
    ]).to.deep.equal([false, false])
  })
})

describe('llm: what a vendor’s own schemas can say', () => {
  const cases: readonly [string, object, boolean, boolean][] = [
    ['named fields', { type: 'object', properties: { a: { type: 'string' }, b: { type: 'array', items: { enum: ['x'] } } } }, true, true],
    ['limits', { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } }, true, false],
    ['a field called like a keyword', { type: 'object', properties: { not: { type: 'string' }, pattern: { type: 'string' } } }, true, true],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, false, true],
    ['an object of anything', { type: 'object' }, false, true],
    ['a list of anything', { type: 'array' }, false, true],
    ['anything', { properties: { a: {} } }, false, true],
    ['a reference', { type: 'object', properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { type: 'string' } } }, false, true],
    ['a combination', { type: 'object', properties: { a: { oneOf: [{ type: 'string' }] } } }, false, true],
    ['a schema that is true', { type: 'array', items: true }, false, false],
  ]
  for (const [name, schema, plain, whole] of cases)
    it(`${name}: plain ${String(plain)}, whole ${String(whole)}`, () => {
      expect(schemaForm(schema)).to.include({ plain, whole })
    })
})

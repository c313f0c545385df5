import { expect } from 'chai'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { CATALOGUE } from '../../../core/problems/catalogue.js'
import { cliBench, type CliBench } from '../../support/cli.js'

const properties = {
  query: { type: 'string' },
  num: { type: 'integer' },
  deep: { type: 'boolean' },
  sources: { type: 'array', items: { type: 'string' } },
  schema: { type: 'object' },
  country: { type: ['string', 'null'] },
}
const tools = { version: '1', capabilities: [{ id: 'web.search', path: '/v1/web/search', input: { properties } }] }
const envelope = {
  success: true,
  data: { answer: 'forty two', items: [1, 2] },
  error: null,
  credits_used: 2,
  metadata: { provider_used: 'acme', response_time_ms: 12, request_id: 'req-1' },
}
const refused = {
  success: false,
  data: null,
  credits_used: 0,
  metadata: { request_id: 'req-9' },
  detail: [{ loc: ['body', 'query'], msg: 'is required', type: 'required' }],
  error: { title: 'Validation failed', status: 422, detail: 'The body is wrong.', alternative_action: 'Correct the field.' },
}

type Answer = (response: ServerResponse) => void

/** A gateway of a few lines: the tools, and one answer to everything else. */
class Gateway {
  answer: Answer = (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(envelope))
  seen: { url: string | undefined; key: string | undefined; accept: string | undefined; body: unknown } | null = null
  readonly server: Server = createServer((request, response) => void this.#serve(request, response))

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/v1/tools?format=raw')
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(tools))
    let text = ''
    for await (const chunk of request) text += String(chunk)
    this.seen = { url: request.url, key: request.headers.authorization, accept: request.headers.accept, body: JSON.parse(text) as unknown }
    this.answer(response)
  }
}

describe('capstan run', () => {
  let gateway: Gateway
  let bench: CliBench
  beforeEach(async () => {
    gateway = new Gateway()
    await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve))
    const { port } = gateway.server.address() as AddressInfo
    bench = cliBench({ tty: true, env: { CAPSTAN_URL: `http://127.0.0.1:${port}`, CAPSTAN_API_KEY: 'cap_test' } })
  })
  afterEach(async () => {
    bench.done()
    gateway.server.closeAllConnections()
    await new Promise((resolve) => gateway.server.close(resolve))
  })

  it('without CAPSTAN_API_KEY ends with 2 and says where the key was printed', async () => {
    const keyless = cliBench()
    const { code, err } = await keyless.run('run', 'search', 'query=x')
    keyless.done()
    expect(code).to.equal(2)
    expect(err).to.contain('first start').and.to.contain('CAPSTAN_API_KEY')
  })

  it('sends parameters in the types of the schema, with the key, requesting events', async () => {
    writeFileSync(join(bench.folder, 'schema.json'), '{"type":"object"}')
    const { code } = await bench.run(
      'run',
      'web_search',
      'query=12',
      'num=5',
      'deep=true',
      'sources=a, b',
      'schema=@schema.json',
      'country:=null',
    )
    expect(code).to.equal(0)
    expect(gateway.seen).to.deep.equal({
      url: '/v1/web/search',
      key: 'Bearer cap_test',
      accept: 'text/event-stream, application/json',
      body: { query: '12', num: 5, deep: true, sources: ['a', 'b'], schema: { type: 'object' }, country: null },
    })
  })

  it('prints data for people, and the summary on standard error', async () => {
    const { out, err } = await bench.run('run', 'web.search', 'query=x')
    expect(out).to.equal('answer: forty two\nitems:\n  - 1\n  - 2\n')
    expect(err).to.contain('2 credits · acme · 12 ms · req-1')
  })

  it('prints each note on a line of its own on standard error, without what could drive the terminal', async () => {
    const notes = ['From acme: answer.', `items:\u001b[2J two\nlines ${'x'.repeat(150)}`]
    const noted = { ...envelope, metadata: { ...envelope.metadata, notes } }
    gateway.answer = (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify(noted))
    const { out, err } = await bench.run('run', 'web.search', 'query=x')
    expect(err).to.contain(`note: From acme: answer.\nnote: items: [2J two lines ${'x'.repeat(150)}\n2 credits`)
    expect(out).not.to.contain('note')
    expect((await bench.run('run', 'web.search', 'query=x', '--json')).json()).to.deep.equal(noted)
  })

  it('--json prints the envelope as one document', async () => {
    expect((await bench.run('run', 'web.search', 'query=x', '--json')).json()).to.deep.equal(envelope)
  })

  it('shows progress on standard error and takes the result from the stream, however it is cut', async () => {
    const stream = `: heartbeat\n\nevent: progress\ndata: {"step":"reading","detail":"page","done":1,"total":3}\n\nevent: result\ndata: ${JSON.stringify(envelope)}\n\n`
    gateway.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const character of stream) response.write(character)
      response.end()
    }
    const { code, out, err } = await bench.run('run', 'web.search', 'query=x')
    expect(code).to.equal(0)
    expect(out).to.contain('forty two')
    expect(err).to.contain('reading').and.to.contain('1/3')
  })

  it('T-72 progress cannot drive the terminal', async () => {
    gateway.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`event: progress\ndata: {"step":"a\\u001b[2Jb"}\n\nevent: result\ndata: ${JSON.stringify(envelope)}\n\n`)
    }
    expect((await bench.run('run', 'web.search', 'query=x')).err).not.to.contain('\u001b[2J')
  })

  it('a stream that ends without a result ends with 7', async () => {
    gateway.answer = (response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: progress\ndata: {"step":"a"}\n\n')
    const { code, err } = await bench.run('run', 'web.search', 'query=x')
    expect(code).to.equal(7)
    expect(err).to.contain('before its result')
  })

  it('a refusal shows title, detail, field, remedy and request id, and ends with 2 where a field is wrong', async () => {
    gateway.answer = (response) => response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify(refused))
    const { code, err, out } = await bench.run('run', 'web.search')
    expect({ code, out }).to.deep.equal({ code: 2, out: '' })
    for (const part of [
      'Validation failed (422)',
      'The body is wrong.',
      'query: is required',
      'remedy: Correct the field.',
      'request req-9',
    ])
      expect(err).to.contain(part)
    const json = await bench.run('run', 'web.search', '--json')
    expect(json.json()).to.deep.equal(refused)
    expect(json.code).to.equal(2)
  })

  it('a refusal names each vendor that was called, with its reason', async () => {
    const attempts = [
      { provider: 'acme', port: 'web.search', outcome: 'busy', ms: 5, reason: 'The vendor asks to wait.\u001b[2J' },
      { provider: 'apex', port: 'web.search', outcome: 'ok', ms: 5 },
      ...Array.from({ length: 14 }, (_, at) => ({
        provider: `v${at}`,
        port: 'web.search',
        outcome: 'skipped',
        ms: 0,
        reason: 'suspended',
      })),
    ]
    const failed = { ...refused, detail: null, metadata: { request_id: 'req-9', attempts } }
    gateway.answer = (response) => response.writeHead(502, { 'content-type': 'application/json' }).end(JSON.stringify(failed))
    const { err } = await bench.run('run', 'web.search', 'query=x')
    expect(err).to.contain('  acme: busy: The vendor asks to wait. [2J\n').and.to.contain('  v10: skipped: suspended\n')
    expect(err).to.contain('and 3 more, which --json prints').and.not.to.contain('apex').and.not.to.contain('\u001b')
  })

  const answerWith = (data: unknown): void => {
    gateway.answer = (response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...envelope, data }))
  }
  const bytes = Buffer.from('PNG'.repeat(1_000))

  it('a long file in base64 is saved, not printed; --out says where, as do -o and --output', async () => {
    answerWith({ image_base64: bytes.toString('base64'), width: 3 })
    const { out } = await bench.run('run', 'web.search', 'query=x')
    expect(out).to.equal('image_base64: (saved as web-search.bin)\nwidth: 3\n')
    expect(readFileSync(join(bench.folder, 'web-search.bin')).equals(bytes)).to.equal(true)
    const saved = await bench.run('run', 'web.search', 'query=x', '-o', 'page.png')
    expect(saved.out).to.equal('')
    expect(saved.err).to.contain('saved page.png, 3000 bytes')
    expect(readFileSync(join(bench.folder, 'page.png')).equals(bytes)).to.equal(true)
    answerWith({ b64_json: bytes.toString('base64'), content_type: 'image/png' })
    for (const option of ['--out', '--output']) {
      await bench.run('run', 'web.search', 'query=x', option, `made${option}.png`)
      expect(readFileSync(join(bench.folder, `made${option}.png`)).equals(bytes)).to.equal(true)
    }
  })

  it('-o fetches the file behind a link of the gateway, and a link that is no good ends with 1', async () => {
    const files = createServer(
      (request, response) => void response.writeHead(request.url?.includes('good') === true ? 200 : 403).end(bytes),
    )
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(files.address() as AddressInfo).port}/files/ab/made.pdf?expires=1&signature=`
    try {
      answerWith({ file_url: `${base}good`, file_name: 'made.pdf' })
      expect((await bench.run('run', 'web.search', 'query=x', '-o', 'made.pdf')).code).to.equal(0)
      expect(readFileSync(join(bench.folder, 'made.pdf')).equals(bytes)).to.equal(true)
      answerWith({ file_url: `${base}bad` })
      const { code, err } = await bench.run('run', 'web.search', 'query=x', '-o', 'other.pdf')
      expect({ code, said: err.includes('its link answered 403') }).to.deep.equal({ code: 1, said: true })
    } finally {
      files.close()
    }
  })

  it('-o writes the text of subtitles or of a page alone', async () => {
    for (const [data, text] of [
      [{ subtitle_content: '1\n00:00:00,000 --> 00:00:01,000\nHello\n', format: 'srt' }, '1\n00:00:00,000 --> 00:00:01,000\nHello\n'],
      [{ content: '# A page', title: null, screenshot_url: null }, '# A page'],
    ] as const) {
      answerWith(data)
      await bench.run('run', 'web.search', 'query=x', '-o', 'text.txt')
      expect(readFileSync(join(bench.folder, 'text.txt'), 'utf8')).to.equal(text)
    }
  })

  it('-o writes the data itself where the answer holds no file, as JSON into .json, and refuses to choose among several', async () => {
    answerWith('some markdown')
    await bench.run('run', 'web.search', 'query=x', '-o', 'page.md')
    expect(readFileSync(join(bench.folder, 'page.md'), 'utf8')).to.equal('some markdown')
    answerWith({ answer: 'forty two', url: null })
    await bench.run('run', 'web.search', 'query=x', '-o', 'answer.json')
    expect(readFileSync(join(bench.folder, 'answer.json'), 'utf8')).to.equal('{\n  "answer": "forty two",\n  "url": null\n}\n')
    answerWith({ output_files: [{ content_base64: 'YQ==' }, { content_base64: 'Yg==' }] })
    const { code, err } = await bench.run('run', 'web.search', 'query=x', '-o', 'one.txt')
    expect(code).to.equal(1)
    expect(err).to.contain('output_files.0.content_base64, output_files.1.content_base64').and.to.contain('--json')
  })

  for (const [path, says] of [
    [join('none', 'one.txt'), 'there is no such file or folder'],
    [join('a file', 'one.txt'), 'a part of its path is a file, not a folder'],
  ] as const)
    it(`--out ${path} is wrong usage, and nothing is sent that would be paid for`, async () => {
      writeFileSync(join(bench.folder, 'a file'), '')
      const { code, err } = await bench.run('run', 'web.search', 'query=x', '--out', path)
      expect(code).to.equal(2)
      expect(err)
        .to.match(/^error: --out: /)
        .and.to.contain(says)
      expect(gateway.seen).to.equal(null)
    })

  it('a refusal says of each field once what is wrong with it', async () => {
    const error = {
      ...{ title: 'Validation failed', status: 422, detail: 'query: this field is required.' },
      alternative_action: CATALOGUE['validation-failed'].cure,
    }
    const detail = [{ loc: ['body', 'query'], msg: 'this field is required', type: 'required' }]
    const body = JSON.stringify({ ...refused, error, detail })
    gateway.answer = (response) => response.writeHead(422, { 'content-type': 'application/json' }).end(body)
    const { err } = await bench.run('run', 'web.search')
    expect(err).to.equal('error: Validation failed (422)\n  query: this field is required\nrequest req-9\n')
  })

  for (const [words, says] of [
    [['web.serch'], 'did you mean web.search?'],
    [['web.search', 'qery=x'], 'did you mean query?'],
    [['web.search', 'query'], 'is not a parameter'],
    [['web.search', 'num=many'], 'num must be a whole number'],
    [['web.search', 'schema={'], 'must be JSON'],
    [['web.search', 'query=@absent.txt'], 'absent.txt'],
    [['web.search', 'query=a', 'query=b'], 'twice'],
  ] as const) {
    it(`run ${words.join(' ')} is wrong usage and nothing is sent`, async () => {
      const { code, err } = await bench.run('run', ...words)
      expect(code).to.equal(2)
      expect(err).to.contain(says)
      expect(gateway.seen).to.equal(null)
    })
  }

  it('says how to start a gateway when none answers', async () => {
    const { port } = gateway.server.address() as AddressInfo
    await new Promise((resolve) => gateway.server.close(resolve))
    const { code, err } = await bench.run('run', 'web.search', 'query=x')
    expect(code).to.equal(7)
    expect(err).to.contain(`127.0.0.1:${port}`).and.to.contain('npm start')
  })
})

import { createHash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { systemClock } from '../../../core/runtime/clock.js'
import { agentInput } from '../../../core/http/sent-body.js'
import { GrowingBuffer } from '../../../core/runtime/growing-buffer.js'
import { parseObject } from '../../../core/http/json.js'
import { LargeBodies } from '../../../core/http/large/bodies.js'
import { parseLarge } from '../../../core/http/large/parse.js'
import { smallBody, type CheckPoint, type SentBody } from '../../../core/http/sent-body.js'
import { fingerprint } from '../../../core/calls/idempotency/fingerprint.js'
import { Problem } from '../../../core/problems/problem.js'
import { SchemaCompiler } from '../../../core/sdk/index.js'
import { LONG_BODIES, MALFORMED_BODIES } from '../../support/bodies.js'
import { echo } from '../../support/test-plugin.js'

const REQUEST = { method: 'POST', path: '/v1/test/echo' }
const compiler = new SchemaCompiler()

/** What comes of a body, with everything a caller could see of it. */
async function outcome(opened: () => Promise<SentBody>, at: CheckPoint): Promise<unknown> {
  try {
    const body = await opened()
    try {
      const { bytes, fingerprint: print } = body
      const capability = body.capability()
      return { bytes, print, capability, input: await body.input(compiler.compileInput(echo.input), at) }
    } finally {
      body.close()
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { slug: error.slug, detail: error.message, validation: error.options.validation }
  }
}

function small(bytes: Buffer, agent: boolean): Promise<unknown> {
  const validator = agent ? compiler.compileInput(agentInput) : null
  const open = () =>
    Promise.resolve().then(() => smallBody(parseObject(bytes), { bytes: bytes.length, request: REQUEST, agent: validator }))
  return outcome(open, agent ? 'params' : 'body')
}

describe('a large body', function () {
  this.timeout(60_000)
  const bodies = new LargeBodies(systemClock)
  after(() => bodies.close())

  function large(bytes: Buffer, agent: boolean): Promise<unknown> {
    const growing = new GrowingBuffer(bytes.length)
    growing.append(bytes)
    const options = { account: 'a', buffer: growing.buffer, length: bytes.length, request: REQUEST, agent }
    return outcome(() => bodies.open(options), agent ? 'params' : 'body')
  }

  for (const [what, text] of Object.entries({ ...MALFORMED_BODIES, ...LONG_BODIES }))
    it(`has the same answer in the worker as on the main thread: ${what}`, async () => {
      const bytes = Buffer.from(text)
      expect(await large(bytes, false)).to.deep.equal(await small(bytes, false))
      const agent = Buffer.concat([Buffer.from('{"capability":"test.echo","params":'), bytes, Buffer.from('}')])
      expect(await large(agent, true)).to.deep.equal(await small(agent, true))
      expect(await large(bytes, true)).to.deep.equal(await small(bytes, true))
    })

  it('has defaults filled in, and the fingerprint of the body without them', async () => {
    const note = '漢'.repeat(700_000)
    const bytes = Buffer.from(JSON.stringify({ text: 'hi', note }))
    const found = (await large(bytes, false)) as { print: string; input: unknown }
    expect(found.input).to.deep.equal({ text: 'hi', mode: 'plain', times: 1, note })
    const canonical = `POST\n/v1/test/echo\n{"note":${JSON.stringify(note)},"text":"hi"}`
    expect(found.print).to.equal(createHash('sha256').update(canonical).digest('hex'))
  })

  it('is parsed to the same value whatever JSON it is', () => {
    // Any string may be a long one: its characters are repeated.
    const text = fc
      .tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(1, 1, 1, 9_000))
      .map(([part, times]) => part.repeat(times))
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(null, true),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('node'), { maxLength: 4 }),
      object: fc.dictionary(
        fc.string({ unit: 'binary', maxLength: 8 }).filter((name) => !/^(?:__proto__|constructor|prototype)$/.test(name)),
        tie('node'),
        { maxKeys: 4, noNullPrototype: true },
      ),
    }))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value.node, { maxKeys: 4, noNullPrototype: true }), fc.boolean(), (body, spaced) => {
        const bytes = Buffer.from(JSON.stringify(body, null, spaced ? 1 : 0))
        expect(read(() => parseLarge(bytes))).to.deep.equal(read(() => parseObject(bytes)))
      }),
      { numRuns: 300 },
    )
  })

  it('has the fingerprint that bodies have always had', () => {
    const body = {
      z: [],
      a: {},
      list: [1, -0, null, true, { y: 'x'.repeat(70_000), b: '\ud83d' }],
      text: `${'a'.repeat(65_535)}😀${'\udc00'.repeat(70_000)}`,
    }
    const canonical = `{"a":{},"list":[1,0,null,true,{"b":"\\ud83d","y":${JSON.stringify(body.list[4] !== null && typeof body.list[4] === 'object' ? body.list[4].y : '')}}],"text":${JSON.stringify(body.text)},"z":[]}`
    expect(fingerprint('POST', '/x', body)).to.equal(createHash('sha256').update(`POST\n/x\n${canonical}`).digest('hex'))
  })

  it('may have no name of a field above 1 MiB', () => {
    const bytes = Buffer.from(`{"${'k'.repeat(1_100_000)}":1}`)
    expect(() => parseLarge(bytes)).to.throw(Problem, 'The body has a field whose name is longer than 1048576 bytes.')
  })
})

function read(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (error) {
    return error instanceof Problem ? error.message : String(error)
  }
}

import { expect } from 'chai'
import { isSlug } from '../../../core/problems/catalogue.js'
import { complaintsAbout } from '../../support/mistakes.js'
import type { OpenApiChecker } from '../../support/openapi.js'
import { expectHeaders, expectProblem } from '../../support/problem.js'
import { operationsOf, OWN_MISTAKES, sendAll } from './answers.js'
import type { Operation } from './access.js'
import { inWords, type Sending } from './send.js'
import { newcomersWorld, type World } from './world.js'

const LEAST = 5
/** Of an operation's own, beside those that are made with every route. */
const LEAST_OWN = 3
/** Words that a sentence ends with twice, or that follow each other twice. */
const REPEATED = /[?!]\.(?=\s|$)|[^.]\.\.(?=\s|$)|\b(\w+) \1\b/

describe("a newcomer's mistakes with the routes", function () {
  this.timeout(300_000)
  let world: World
  let operations: readonly Operation[]
  let checker: OpenApiChecker
  let sendings: readonly Sending[]
  before(async () => {
    world = await newcomersWorld()
    ;({ operations, checker } = await operationsOf(world))
    sendings = await sendAll(world, operations)
  })
  after(async () => await world?.close())

  it('are answered with the status, the field and the remedy', () => {
    const complaints = sendings.flatMap(({ attempt, answered }) => [
      ...(attempt.status === answered.code
        ? []
        : [`${answered.of}, tried ${answered.tried}: ${answered.code}, not ${attempt.status}: ${answered.answer}`]),
      ...complaintsAbout(answered),
      ...(answered.code >= 400 && REPEATED.test(answered.answer) ? [`${answered.of}, tried ${answered.tried}: ${answered.answer}`] : []),
    ])
    expect(complaints).to.deep.equal([])
  })

  it('are answered as the OpenAPI description says, each problem whole and for nothing', () => {
    for (const { answered, request, reply } of sendings) {
      expect(checker.faults(request.method, request.path, reply), `${answered.of}, tried ${answered.tried}`).to.deep.equal([])
      expectHeaders(reply)
      if (reply.status < 400) continue
      expect(reply.headers['x-credits-used'], answered.tried).to.equal('0')
      const [slug = ''] = answered.answer.split(':', 1)
      if (!isSlug(slug)) throw new Error(`${answered.of}: ${answered.answer}`)
      if (reply.headers['content-type']?.startsWith('application/json') === true) expectProblem(reply, slug)
    }
  })

  it('with a field are listed by their places, and each place is named in the sentence', () => {
    for (const { answered, reply } of sendings.filter(({ reply: { status } }) => status === 422)) {
      if (reply.headers['content-type']?.startsWith('application/json') !== true) continue
      const { detail: items = [], error } = reply.json()
      for (const { loc, msg } of items.slice(0, 4)) {
        const field = loc.findLast((part) => typeof part === 'string')
        expect(['body', 'query', 'path', 'header'], answered.tried).to.include(loc[0])
        if (loc.length > 1 && loc[0] !== 'header') expect(error?.detail, answered.tried).to.contain(String(field).replace(/…$/, ''))
        expect(msg, answered.tried).not.to.equal('')
      }
    }
  })

  it('are known of every operation and every capability, and no two are the same', () => {
    const distinct = (of: string, list: readonly { of: string; tried: string }[]): number =>
      new Set(list.filter((each) => each.of === of).map(({ tried }) => tried)).size
    const all = sendings.map(({ answered }) => answered)
    const own = OWN_MISTAKES.map((attempt) => ({ of: attempt.of, tried: inWords(attempt) }))
    const few = operations
      .map(({ method, path }) => `${method} ${path}`)
      .filter((of) => distinct(of, all) < LEAST || distinct(of, own) < LEAST_OWN)
    expect(few, 'operations with fewer than five mistakes, or three of their own').to.deep.equal([])
    const paths = [...world.gateway.app.services.registry().byPath.keys()]
    expect(
      paths.filter((path) => distinct(`POST ${path}`, own) < LEAST),
      'capabilities with fewer than five mistakes of their own fields',
    ).to.deep.equal([])
    const unknown = own.map(({ of }) => of).filter((of) => !operations.some(({ method, path }) => `${method} ${path}` === of))
    expect(unknown, 'mistakes with operations that there are not').to.deep.equal([])
    const lines = all.map(({ of, tried }) => `${of}, ${tried}`)
    expect(lines.filter((line, at) => lines.indexOf(line) < at)).to.deep.equal([])
  })
})

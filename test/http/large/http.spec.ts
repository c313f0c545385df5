import { request } from 'node:http'
import { expect } from 'chai'
import { spy } from 'sinon'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'

const ECHO = '/v1/test/echo'
const MIB = 1024 * 1024

describe('a large body of a request', function () {
  this.timeout(30_000)
  let gateway: TestGateway
  let given: unknown[] = []
  before(async () => {
    gateway = await startGateway({
      env: { CAPSTAN_LIMIT_BODY: String(24 * MIB) },
      script: {
        'test.echo': [
          {
            vendor: 'one',
            run: (input) => {
              given.push(input)
              return Promise.resolve({ text: input.text })
            },
          },
        ],
      },
    })
  })
  beforeEach(() => void (given = []))
  after(() => gateway.close())

  const note = (length: number): string => 'n'.repeat(length)

  it('reaches the provider whole, on both paths', async () => {
    for (const [path, wrap] of [
      [ECHO, (body: object) => body],
      ['/v1/agent', (body: object) => ({ capability: 'test.echo', params: body })],
    ] as const) {
      const sent = { text: 'hi', note: `${note(2 * MIB)}漢` }
      expect((await gateway.post(path, wrap(sent))).status).to.equal(200)
      expect(given.pop()).to.deep.equal({ ...sent, mode: 'plain', times: 1 })
    }
  })

  it('takes null for an optional field as absent', async () => {
    const sent = { text: 'hi', note: note(2 * MIB), mode: null, times: null }
    expect((await gateway.post(ECHO, sent)).status).to.equal(200)
    expect(given.pop()).to.deep.equal({ text: 'hi', note: sent.note, mode: 'plain', times: 1 })
  })

  it('is taken in pieces of no declared length', async () => {
    const body = JSON.stringify({ text: 'hi', note: note(3 * MIB) })
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' }
      const sent = request(gateway.url + ECHO, { method: 'POST', headers }, (response) =>
        response.resume().on('end', () => resolve(response.statusCode)),
      )
      sent.on('error', reject)
      for (let at = 0; at < body.length; at += 100_000) sent.write(body.slice(at, at + 100_000))
      sent.end()
    })
    expect(status).to.equal(200)
    expect(given).to.deep.equal([{ text: 'hi', mode: 'plain', times: 1, note: note(3 * MIB) }])
  })

  it('is refused as a small one is', async () => {
    const large = expectProblem(await gateway.post(ECHO, { text: 'hi', times: 9, more: note(2 * MIB) }), 'validation-failed')
    const small = expectProblem(await gateway.post(ECHO, { text: 'hi', times: 9, more: 'n' }), 'validation-failed')
    expect(large.detail).to.deep.equal(small.detail)
    expectProblem(await gateway.post(ECHO, { text: 'never', times: 2, note: note(2 * MIB) }), 'validation-failed')
    expectProblem(await gateway.send(ECHO, { body: `{"text":"${note(2 * MIB)}` }), 'malformed-request')
    expectProblem(await gateway.post('/v1/agent', { capability: 'test.none', params: { text: note(2 * MIB) } }), 'validation-failed')
  })

  it('under an Idempotency-Key is answered again, and another one refused', async () => {
    const headers = { 'idempotency-key': 'large' }
    const first = await gateway.post(ECHO, { text: 'hi', note: note(2 * MIB) }, headers)
    // The same with its keys in another order.
    const again = await gateway.send(ECHO, { method: 'POST', body: `{"note":"${note(2 * MIB)}", "text":"hi"}`, headers })
    expect([first.status, again.status, again.headers['idempotent-replayed']]).to.deep.equal([200, 200, 'true'])
    expect(given).to.have.length(1)
    expectProblem(await gateway.post(ECHO, { text: 'hi', note: note(2 * MIB + 1) }, headers), 'validation-failed')
  })

  it('a name of a field is quoted at a length that can be read', async () => {
    const { detail } = expectProblem(await gateway.post(ECHO, { text: 'hi', [note(3_000)]: 1 }), 'validation-failed')
    expect(detail?.[0]?.loc).to.deep.equal(['body', `${note(200)}…`])
  })

  it('is one of more than 1 MiB, or of so many values that checking them would take long', async () => {
    const opened = spy(gateway.app.services.largeBodies, 'open')
    const send = async (body: string): Promise<number> => {
      opened.resetHistory()
      await gateway.send(ECHO, { method: 'POST', body, headers: { 'idempotency-key': 'which' } })
      return opened.callCount
    }
    try {
      const values = (count: number): string => `{${Array.from({ length: count }, (_, index) => `"${index}x":0`).join(',')}}`
      expect(await send('{"text":"hi"}')).to.equal(0)
      expect(await send(`{"text":"hi","note":"${note(MIB - 100)}"}`)).to.equal(0)
      expect(await send(values(3_000))).to.equal(0)
      expect(await send(`{"text":"hi","note":"${note(MIB)}"}`)).to.equal(1)
      expect(await send(`{"text":"${'\\u0000'.repeat(4 * MIB - 10)}"}`)).to.equal(1)
      expect(await send(values(5_000))).to.equal(1)
    } finally {
      opened.restore()
    }
  })

  it('of a route that is no capability has few values', async () => {
    const many = Array.from({ length: 5_001 }, () => '10.0.0.1')
    const { error } = expectProblem(await gateway.post('/v1/keys', { name: 'x', allowed_ips: many }), 'malformed-request')
    expect(error?.detail).to.equal('The body has more than 5000 values.')
  })
})

import { expect } from 'chai'
import {
  APIStatusError,
  AuthenticationError,
  BadRequestError,
  CapstanError,
  ConflictError,
  InsufficientCreditsError,
  InternalServerError,
  NoResultError,
  NotFoundError,
  PermissionDeniedError,
  ProviderError,
  RateLimitError,
  TargetBlockedError,
  UnavailableError,
  ValidationError,
  type RequestOptions,
} from '../../../clients/typescript/src/index.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { Stage } from '../../support/stage.js'
import { handle } from '../../support/test-plugin.js'
import { echo } from '../../support/test-plugin.js'
import { clientOf, thrown } from './support.js'

describe('the TypeScript client: errors of a gateway', function () {
  this.timeout(30_000)
  const stage = new Stage()
  let gateway: TestGateway
  before(async () => {
    const asleep = stage.vendor('asleep', { state: 'dormant' })
    gateway = await startGateway({ script: { 'test.echo': [stage.vendor('one')], 'test.send': [asleep] } })
  })
  after(async () => await gateway.close())
  afterEach(() => gateway.app.services.suspensions.resume('test.echo/one'))

  /** What a call of the text throws, of a key that this order makes. */
  const failed = async (text: string, order: Record<string, unknown> = {}, options: RequestOptions = {}): Promise<APIStatusError> => {
    const { key } = await gateway.newKey(order)
    return check(await thrown(clientOf(gateway, { apiKey: key, maxRetries: 0 }).run('test.echo', { text }, options)))
  }

  it('400: an Idempotency-Key that is too long', async () => {
    const error = await failed('hi', {}, { idempotencyKey: 'x'.repeat(256) })
    expect(error).to.be.instanceOf(BadRequestError).and.include({ status: 400, slug: 'malformed-request', is_retriable: false })
  })

  it('401: a wrong key, and one that was revoked; the key is nowhere in the error', async () => {
    const wrong = `cap_${'x'.repeat(40)}`
    const revoked = await gateway.newKey()
    await clientOf(gateway).keys.revoke(revoked.id)
    for (const apiKey of [wrong, revoked.key]) {
      const error = check(await thrown(clientOf(gateway, { apiKey }).run('test.echo', { text: 'hi' })))
      expect(error)
        .to.be.instanceOf(AuthenticationError)
        .and.include({ status: 401, slug: 'invalid-api-key', error_category: 'authentication' })
      expect(error.message).to.include('create a new one with POST /v1/keys or capstan keys create')
      expect(JSON.stringify(error) + String(error.stack)).not.to.include(apiKey)
    }
  })

  it('402: no credits', async () => {
    const { key } = await gateway.newAccount(0)
    const error = check(await thrown(clientOf(gateway, { apiKey: key }).run('test.echo', { text: 'hi' })))
    expect(error).to.be.instanceOf(InsufficientCreditsError).and.include({ status: 402, slug: 'insufficient-credits' })
    expect(error.alternative_action).to.include('capstan credits grant')
  })

  it('403: a key whose scopes exclude the call', async () => {
    expect(await failed('hi', { scopes: ['manage'] }))
      .to.be.instanceOf(PermissionDeniedError)
      .and.include({ status: 403, slug: 'key-not-allowed' })
  })

  it('404: an unknown id', async () => {
    const error = check(await thrown(clientOf(gateway).keys.revoke('key_of/nobody')))
    expect(error).to.be.instanceOf(NotFoundError).and.include({ status: 404, slug: 'not-found' })
  })

  it('404: a capability of this library that an older gateway does not have', async () => {
    expect(check(await thrown(clientOf(gateway).scrape({ url: 'https://example.com' }))))
      .to.be.instanceOf(NotFoundError)
      .and.include({ status: 404, slug: 'not-found' })
  })

  it('409: a key that a running call holds', async () => {
    const client = clientOf(gateway, { maxRetries: 0 })
    const first = client.run('test.echo', { text: 'wait' }, { idempotencyKey: 'held' })
    await stage.until(() => stage.waiting === 1)
    const error = check(await thrown(client.run('test.echo', { text: 'wait' }, { idempotencyKey: 'held' })))
    stage.release()
    expect(error).to.be.instanceOf(ConflictError).and.include({ status: 409, slug: 'idempotency-conflict', is_retriable: true })
    expect(error.retry_after_seconds).to.be.within(1, 5)
    expect((await first).data).to.deep.equal({ text: 'wait' })
  })

  it('413: a status without a class of its own is an APIStatusError', async () => {
    const error = check(await thrown(clientOf(gateway).run('test.echo', { text: 'x'.repeat(3_000_000) })))
    expect(error.constructor).to.equal(APIStatusError)
    expect(error).to.include({ status: 413, slug: 'payload-too-large' })
  })

  it('422: wrong parameters are listed, and the message names each', async () => {
    const { key } = await gateway.newKey()
    const work = clientOf(gateway, { apiKey: key }).run('test.echo', { mode: 'silent', txt: 'hi' })
    const error = check(await thrown(work))
    expect(error).to.be.instanceOf(ValidationError).and.include({ status: 422, slug: 'validation-failed' })
    expect(error.validation.map(({ loc, type }) => `${loc.join('.')} ${type}`)).to.have.members([
      'body.params.mode enum',
      'body.params.text missing',
      'body.params.txt extra_forbidden',
    ])
    for (const { loc, msg } of error.validation)
      expect(error.message)
        .to.include(String(loc.at(-1)))
        .and.include(msg)
  })

  it('422: a target that refused, and nothing found, have classes of their own', async () => {
    expect(await failed('blocked'))
      .to.be.instanceOf(TargetBlockedError)
      .and.include({ status: 422, slug: 'target-blocked' })
    expect(await failed('missing'))
      .to.be.instanceOf(NoResultError)
      .and.include({ status: 422, slug: 'no-result' })
  })

  it('422: a slug unknown to this version is an APIStatusError', async () => {
    const small = await startGateway({ script: { 'test.echo': [stage.vendor('one')] }, env: { CAPSTAN_LIMIT_ANSWER: '1024' } })
    try {
      const error = check(await thrown(clientOf(small).run('test.echo', { text: 'huge' })))
      expect(error.constructor).to.equal(APIStatusError)
      expect(error).to.include({ status: 422, slug: 'answer-too-large' })
    } finally {
      await small.close()
    }
  })

  it('429: over the rate of the key, with the seconds to wait', async () => {
    const { key } = await gateway.newKey({ rate_limit_per_minute: 1 })
    const client = clientOf(gateway, { apiKey: key, maxRetries: 0 })
    await client.account()
    const error = check(await thrown(client.run('test.echo', { text: 'hi' })))
    expect(error).to.be.instanceOf(RateLimitError).and.include({ status: 429, slug: 'rate-limited', is_retriable: true })
    expect(error.retry_after_seconds).to.be.within(1, 60)
  })

  it('500: a failure of the gateway itself', async () => {
    const broken = await startGateway({ script: { handler: handle(echo, () => Promise.reject(new TypeError('canary-internal'))) } })
    try {
      const error = check(await thrown(clientOf(broken, { maxRetries: 0 }).run('test.echo', { text: 'hi' })))
      expect(error).to.be.instanceOf(InternalServerError).and.include({ status: 500, slug: 'internal', is_retriable: true })
      expect(error.message).not.to.include('canary-internal')
    } finally {
      await broken.close()
    }
  })

  it('502: all providers failed, each try listed', async () => {
    const error = await failed('broken')
    expect(error).to.be.instanceOf(ProviderError).and.include({ status: 502, slug: 'providers-failed', error_category: 'provider' })
    expect(error.attempts).to.have.length(1)
    expect(error.attempts[0]).to.include({ provider: 'one', port: 'test.echo', outcome: 'broken' })
  })

  it('503: a capability without a live provider', async () => {
    const { key } = await gateway.newKey()
    const error = check(await thrown(clientOf(gateway, { apiKey: key }).run('test.send', { text: 'hi' })))
    expect(error).to.be.instanceOf(UnavailableError).and.include({ status: 503, slug: 'capability-unavailable', is_retriable: false })
  })

  it('504: the deadline of the call', async () => {
    expect(await failed('brief'))
      .to.be.instanceOf(ProviderError)
      .and.include({ status: 504, slug: 'deadline-exceeded' })
  })

  it('an error of a streamed call is the same as that of a plain one', async () => {
    const steps: string[] = []
    for (const [text, kind] of [
      ['blocked', TargetBlockedError],
      ['broken', ProviderError],
    ] as const) {
      const plain = await failed(text)
      gateway.app.services.suspensions.resume('test.echo/one')
      const streamed = await failed(text, {}, { onProgress: ({ step }) => steps.push(step) })
      expect(streamed).to.be.instanceOf(kind)
      for (const field of ['status', 'slug', 'title', 'detail', 'error_category', 'is_retriable', 'alternative_action'] as const)
        expect(streamed[field], field).to.equal(plain[field])
      gateway.app.services.suspensions.resume('test.echo/one')
    }
  })
})

/** The error of an answer, with what every one of them has. */
function check(error: unknown): APIStatusError {
  if (!(error instanceof APIStatusError)) throw error
  expect(error).to.be.instanceOf(CapstanError).and.instanceOf(Error)
  expect(error.name).to.equal(error.constructor.name)
  expect(error.type).to.match(/^http:\/\/127\.0\.0\.1:\d+\/errors\/[a-z-]+$/)
  expect(error.request_id).to.equal(error.headers.get('x-request-id'))
  for (const text of [error.title, error.detail, String(error.alternative_action), String(error.request_id), String(error.slug)])
    expect(error.message).to.include(text)
  return error
}

import { expect } from 'chai'
import type { Envelope } from '../../core/calls/envelope.js'
import { CATALOGUE, type Category, type Slug } from '../../core/problems/catalogue.js'
import type { Reply } from './gateway.js'

/** Headers of every answer and their required form. */
const HEADERS: Readonly<Record<string, RegExp>> = {
  'x-request-id': /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/,
  'x-ratelimit-limit': /^\d+$/,
  'x-ratelimit-remaining': /^\d+$/,
  'x-ratelimit-reset': /^\d{10}$/,
  'x-credits-used': /^\d+(\.\d{1,3})?$/,
  'x-content-type-options': /^nosniff$/,
  'content-security-policy': /default-src 'none'/,
  'referrer-policy': /^no-referrer$/,
  'cache-control': /^(no-store|public, max-age=\d+)$/,
}

/** Asserts the headers that every answer of every route carries. */
export function expectHeaders(reply: Reply): void {
  const streamed = reply.headers['content-type']?.startsWith('text/event-stream') === true
  for (const [name, form] of Object.entries(HEADERS))
    expect((streamed && name === 'x-credits-used' ? reply.trailers : reply.headers)[name], name).to.match(form)
  for (const name of ['x-powered-by', 'server']) expect(reply.headers).not.to.have.property(name)
}

/** Asserts that an answer is this problem in its envelope form, with everything the catalogue and the contract say of it. */
export function expectProblem(reply: Reply, slug: Slug, other: { category?: Category; retriable?: boolean } = {}): Envelope {
  const kind = CATALOGUE[slug]
  expect(reply.status, reply.text).to.equal(kind.status)
  expectHeaders(reply)
  expect(reply.headers['content-type']).to.equal('application/json; charset=utf-8')
  expect(reply.headers['x-credits-used']).to.equal('0')
  const envelope = reply.json()
  expect(envelope).to.include({ success: false, data: null, credits_used: 0 })
  const { error } = envelope
  expect(error?.type).to.match(new RegExp(`^https?://.+/errors/${slug}$`))
  expect(error).to.include({
    title: kind.title,
    status: kind.status,
    is_retriable: other.retriable ?? kind.retriable,
    error_category: other.category ?? kind.category,
  })
  expect(error?.detail).to.be.a('string').and.not.equal('')
  expect(error?.alternative_action).to.be.a('string').and.not.equal('')
  expect(envelope.metadata.request_id).to.equal(reply.headers['x-request-id'])
  expect(reply.headers['retry-after'], 'Retry-After').to.equal(error?.retry_after_seconds?.toString())
  if ([429, 409, 503].includes(kind.status) && error?.is_retriable === true) expect(Number(reply.headers['retry-after'])).to.be.at.least(1)
  expect(envelope.detail !== undefined, 'detail is there exactly for validation errors').to.equal(slug === 'validation-failed')
  return envelope
}

import { body, operation, refused } from '../attempt.js'

const params = (more: object): unknown => ({ query: 'kettles', ...more })

/** Web search. */
export const searchMistakes = operation(
  'POST /v1/search',
  body({}, 'query', 'required'),
  body({ q: 'kettles' }, 'q', 'query', 'required'),
  body({ query: '' }, 'query', 'empty or blank'),
  body({ query: ['kettles', 'pots'] }, 'query', 'a text', 'not a list'),
  body({ query: 'x'.repeat(2001) }, 'query', 'at most 2000 characters, not 2001'),
  body(params({ mode: 'fast' }), 'mode', '"serp"'),
  body(params({ mode: 'SERP' }), 'mode', 'did you mean "serp"?'),
  body(params({ num_results: '5' }), 'num_results', 'whole number', 'without quotes'),
  body(params({ num_results: 0 }), 'num_results', 'from 1 to 100'),
  body(params({ num_results: 1000 }), 'num_results', 'from 1 to 100'),
  body(params({ num_result: 5 }), 'num_result', 'did you mean num_results?'),
  body(params({ limit: 5 }), 'limit', 'not known', 'num_results'),
  body(params({ max_results: 5 }), 'max_results', 'did you mean num_results?'),
  body(params({ country: 'Germany' }), 'country', 'two-letter'),
  body(params({ country: 'DEU' }), 'country', 'two-letter'),
  body(params({ country: 'en-US' }), 'country', 'two-letter'),
  body(params({ language: 'de' }), 'language', 'not known', 'country'),
  body(params({ freshness: '7d' }), 'freshness', '"week"'),
  body(params({ freshness: '2026-01-01' }), 'freshness', '"week"'),
  body(params({ freshness: 'weekly' }), 'freshness', 'did you mean "week"?'),
  body(params({ site: 'example.com' }), 'site', 'not known'),
  refused(422, { query: 'product=shop', body: params({}) }, 'product', '"agent"'),
  refused(422, { body: { query: 'kettles' }, headers: { 'idempotency-key': 'used-before' } }, 'Idempotency-Key', 'another'),
  refused(400, { body: params({}), headers: { 'idempotency-key': '' } }, 'Idempotency-Key', 'empty'),
  refused(404, { path: '/v1/search/serp' }, 'did you mean /v1/search?'),
  refused(404, { path: '/search' }, 'did you mean /v1/search?'),
  refused(405, { method: 'GET', query: 'q=kettles' }, 'Allow: POST', 'JSON'),
)

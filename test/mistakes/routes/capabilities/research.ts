import { body, operation, refused } from '../attempt.js'

const params = (more: object): unknown => ({ query: 'What do heat pumps cost?', ...more })

/** Research. */
export const researchMistakes = operation(
  'POST /v1/research',
  body({}, 'query', 'required'),
  body({ question: 'What do heat pumps cost?' }, 'question', 'query', 'required'),
  body({ query: '' }, 'query', 'empty or blank'),
  body({ query: ['one', 'two'] }, 'query', 'a text'),
  body(params({ depth: 'quick' }), 'depth', '"standard"'),
  body(params({ depth: 'DEEP' }), 'depth', 'did you mean "deep"?'),
  body(params({ mode: 'deep' }), 'mode', 'not known'),
  body(params({ max_sources: '15' }), 'max_sources', 'whole number', 'without quotes'),
  body(params({ max_sources: 0 }), 'max_sources', 'from 1 to 100'),
  body(params({ max_source: 5 }), 'max_source', 'did you mean max_sources?'),
  body(params({ source_types: 'papers' }), 'source_types'),
  body(params({ domain_whitelist: 'example.com' }), 'domain_whitelist', 'a list'),
  body(params({ domain_whitelist: ['https://www.example.com/about'] }), 'domain_whitelist', 'bare name: www.example.com'),
  body(params({ domain_blacklist: ['example'] }), 'domain_blacklist', 'example'),
  body(params({ domain_whitelist: ['example.com'], domain_blacklist: ['example.com'] }), 'domain_whitelist', 'leaves nothing'),
  body(params({ output_schema: '{"type":"object"}' }), 'output_schema', 'an object'),
  body(params({ output_schema: { type: 'array', items: {} } }), 'output_schema.type', 'object', 'property'),
  body(params({ output_schema: { type: 'object', properties: ['cost'] } }), 'output_schema.properties', 'names'),
  body(params({ freshness: '7d' }), 'freshness', '"week"'),
  body(params({ synthesis: 'no' }), 'synthesis', 'true or false'),
  refused(405, { method: 'GET', query: 'query=heat' }, 'Allow: POST', 'JSON'),
)

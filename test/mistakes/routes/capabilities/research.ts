import { body, operation, refused } from '../attempt.js'

const asked = (more: object): unknown => ({ query: 'What do heat pumps cost?', ...more })

/** Research. */
export const researchMistakes = operation(
  'POST /v1/research',
  body({}, 'query', 'required'),
  body({ question: 'What do heat pumps cost?' }, 'question', 'query', 'required'),
  body({ query: '' }, 'query', 'empty or blank'),
  body({ query: ['one', 'two'] }, 'query', 'a text'),
  body(asked({ depth: 'quick' }), 'depth', '"standard"'),
  body(asked({ depth: 'DEEP' }), 'depth', 'did you mean "deep"?'),
  body(asked({ mode: 'deep' }), 'mode', 'not known'),
  body(asked({ max_sources: '15' }), 'max_sources', 'whole number', 'without quotes'),
  body(asked({ max_sources: 0 }), 'max_sources', 'from 1 to 100'),
  body(asked({ max_source: 5 }), 'max_source', 'did you mean max_sources?'),
  body(asked({ source_types: 'papers' }), 'source_types'),
  body(asked({ domain_whitelist: 'example.com' }), 'domain_whitelist', 'a list'),
  body(asked({ domain_whitelist: ['https://www.example.com/about'] }), 'domain_whitelist', 'bare name: www.example.com'),
  body(asked({ domain_blacklist: ['example'] }), 'domain_blacklist', 'example'),
  body(asked({ domain_whitelist: ['example.com'], domain_blacklist: ['example.com'] }), 'domain_whitelist', 'leaves nothing'),
  body(asked({ output_schema: '{"type":"object"}' }), 'output_schema', 'an object'),
  body(asked({ output_schema: { type: 'array', items: {} } }), 'output_schema.type', 'object', 'property'),
  body(asked({ output_schema: { type: 'object', properties: ['cost'] } }), 'output_schema.properties', 'names'),
  body(asked({ freshness: '7d' }), 'freshness', '"week"'),
  body(asked({ synthesis: 'no' }), 'synthesis', 'true or false'),
  refused(405, { method: 'GET', query: 'query=heat' }, 'Allow: POST', 'JSON'),
)

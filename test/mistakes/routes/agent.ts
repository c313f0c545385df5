import { body, operation, refused } from './attempt.js'

/** Every capability by name, as models call it. */
export const agentMistakes = [
  ...operation(
    'POST /v1/agent',
    body({}, 'capability', 'required'),
    body({ capability: 'web_serch', params: { query: 'kettles' } }, 'capability', 'GET /v1/capabilities'),
    body({ capability: 'Scrap', params: { url: 'https://example.com' } }, 'capability', 'did you mean scrape?'),
    body({ tool: 'search', arguments: { query: 'kettles' } }, 'capability', 'required', 'tool', 'arguments'),
    body({ name: 'search', input: { query: 'kettles' } }, 'capability', 'required', 'name', 'input'),
    body({ capability: 'search', query: 'kettles' }, 'query', 'not known', 'params'),
    body({ capability: 'search', parameters: { query: 'kettles' } }, 'parameters', 'known: capability, params'),
    body({ capability: 'search', params: '{"query": "kettles"}' }, 'params', 'an object', 'not its JSON as a text'),
    body({ capability: 'search', params: ['kettles'] }, 'params', 'an object'),
    body({ capability: 'search', params: { query: 'kettles', num_results: '5' } }, 'params.num_results', 'whole number', 'without quotes'),
    body({ capability: 'screenshots.capture', params: { url: 'https://example.com', full_page: 'true' } }, 'params.full_page', 'quotes'),
    body({ capability: 'search', params: {} }, 'params.query', 'required'),
    body({ capability: null, params: { query: 'kettles' } }, 'capability', 'a text'),
    body({ capability: 'code.execute' }, 'params.code', 'required'),
    refused(
      422,
      { body: { capability: 'search', params: { query: '' } }, headers: { accept: 'text/event-stream' } },
      'params.query',
      'empty',
    ),
    refused(403, { auth: 'Bearer {narrow}', body: { capability: 'scrape', params: { url: 'https://example.com' } } }, 'scopes', 'scrape'),
    refused(402, { auth: 'Bearer {poor}', body: { capability: 'search', params: { query: 'kettles' } } }, '2', 'credits'),
    refused(403, { auth: 'Bearer {tight}', body: { capability: 'search', params: { query: 'kettles' } } }, 'credit_limit'),
    refused(
      422,
      { body: { capability: 'search', params: { query: 'kettles' } }, query: 'product=shop' },
      'product',
      '"agent"',
      '"browser"',
    ),
  ),
]

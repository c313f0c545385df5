import { body, operation, query, refused } from './attempt.js'

const suspend = (port: string, vendor: string, action = 'suspend'): { path: string; body: unknown } => ({
  path: `/admin/v1/providers/${port}/${vendor}/${action}`,
  body: {},
})
const waterfall = (port: string): { path: string } => ({ path: `/admin/v1/waterfall/${port}` })
const REMEDY = 'GET /admin/v1/providers'

/** The operator's gateway: providers, orders, reload, audit, usage. */
export const adminGatewayMistakes = [
  ...operation(
    'GET /admin/v1/providers',
    query('port=search.serp', 'port', 'not known', 'no fields are accepted here'),
    refused(404, { path: '/admin/v1/provider' }, 'did you mean /admin/v1/providers?'),
    refused(404, { path: '/v1/providers' }, 'did you mean /admin/v1/providers?'),
    refused(404, { path: '/admin/v1/providers/search.serp' }, 'did you mean'),
  ),
  ...operation(
    'GET /admin/v1/diagnosis',
    query('deep=true', 'deep', 'not known', 'no fields are accepted here'),
    refused(404, { path: '/admin/v1/doctor' }, 'GET /v1/openapi.json'),
    refused(404, { path: '/admin/v1/diagnose' }, 'did you mean /admin/v1/diagnosis?'),
  ),
  ...operation(
    'POST /admin/v1/providers/{port}/{vendor}/suspend',
    refused(404, suspend('search.serp', 'duckduck'), 'did you mean duckduckgo?', REMEDY),
    refused(404, suspend('search.sepr', 'duckduckgo'), 'did you mean search.serp?', REMEDY),
    refused(404, suspend('duckduckgo', 'search.serp'), 'the port comes first', REMEDY),
    refused(404, suspend('search', 'duckduckgo'), 'search.serp'),
    refused(422, { ...suspend('search.serp', 'duckduckgo'), body: { reason: 5 } }, 'reason', 'a text'),
    refused(422, { ...suspend('search.serp', 'duckduckgo'), body: { minutes: 5 } }, 'minutes', 'not known', 'reason'),
    refused(422, { ...suspend('search.serp', 'duckduckgo'), body: { reason: 'x'.repeat(201) } }, 'reason', 'at most 200 characters'),
  ),
  ...operation(
    'POST /admin/v1/providers/{port}/{vendor}/resume',
    refused(404, suspend('search.serp', 'gogle', 'resume'), 'There is no provider of search.serp called gogle', REMEDY),
    refused(404, suspend('serp', 'duckduckgo', 'resume'), 'port called serp', REMEDY),
    refused(
      422,
      { ...suspend('search.serp', 'duckduckgo', 'resume'), body: { reason: 'fixed' } },
      'reason',
      'not known',
      'no fields are accepted here',
    ),
    refused(404, suspend('search.serp', 'duckduckgo', 'unsuspend'), 'did you mean'),
  ),
  ...operation(
    'PUT /admin/v1/waterfall/{port}',
    refused(422, { ...waterfall('search.serp'), body: {} }, 'order', 'required'),
    refused(422, { ...waterfall('search.serp'), body: { order: [] } }, 'order', 'empty'),
    refused(422, { ...waterfall('search.serp'), body: { order: 'duckduckgo,wikipedia' } }, 'order', 'a list'),
    refused(422, { ...waterfall('search.serp'), body: { order: ['duckduck'] } }, 'order.0', 'did you mean duckduckgo?'),
    refused(422, { ...waterfall('search.serp'), body: { order: ['DuckDuckGo'] } }, 'order.0', 'small letters'),
    refused(422, { ...waterfall('search.serp'), body: { order: ['duckduckgo', 'duckduckgo'] } }, 'order.1', 'duckduckgo'),
    refused(422, { ...waterfall('search.serp'), body: { vendors: ['duckduckgo'] } }, 'vendors', 'order'),
    refused(422, { ...waterfall('search.serp'), body: { order: [{ vendor: 'duckduckgo' }] } }, 'order.0', 'a text'),
    refused(404, { ...waterfall('search.sepr'), body: { order: ['...'] } }, 'did you mean search.serp?', REMEDY),
    refused(404, { ...waterfall('search'), body: { order: ['...'] } }, 'search.serp'),
  ),
  ...operation(
    'DELETE /admin/v1/waterfall/{port}',
    refused(404, waterfall('search.serp'), 'No order was set for search.serp'),
    refused(404, waterfall('search.sepr'), 'did you mean search.serp?', REMEDY),
    refused(404, waterfall('duckduckgo'), 'vendor', REMEDY),
    refused(422, { ...waterfall('search.serp'), query: 'all=true' }, 'all', 'not known', 'no fields are accepted here'),
  ),
  ...operation(
    'POST /admin/v1/reload',
    body({ plugin: 'search' }, 'plugin', 'not known', 'no fields are accepted here'),
    body({ force: true }, 'force', 'not known', 'no fields are accepted here'),
    refused(404, { path: '/admin/v1/restart' }, 'GET /v1/openapi.json'),
  ),
  ...operation(
    'GET /admin/v1/ledger/check',
    query('account=default', 'account', 'not known', 'no fields are accepted here'),
    refused(404, { path: '/admin/v1/ledger' }, 'did you mean /admin/v1/ledger/check?'),
    refused(404, { path: '/v1/ledger/check' }, 'did you mean /admin/v1/ledger/check?'),
  ),
  ...operation(
    'GET /admin/v1/usage',
    query('days=0', 'days', 'from 1 to 365'),
    query('days=week', 'days', 'whole number'),
    query('account=acc_unknown', 'account', 'GET /admin/v1/accounts'),
    query('from=2026-01-01', 'from', 'not known', 'days'),
  ),
  ...operation(
    'GET /admin/v1/audit',
    query('limit=0', 'limit', 'from 1 to 500'),
    query('limit=1000', 'limit', 'from 1 to 500'),
    query('since=2026-01-01', 'since', 'not known', 'limit'),
    query('offset=-1', 'offset', 'at least 0'),
    query('action=key.create', 'action', 'not known', 'limit'),
  ),
]

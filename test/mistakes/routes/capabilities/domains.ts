import { body, operation, taken } from '../attempt.js'

const available = (domains: unknown): unknown => ({ mode: 'check-availability', domains })

/** Domain names. */
export const domainMistakes = operation(
  'POST /v1/domains',
  body({}, 'description', 'company_name'),
  body({ mode: 'suggest' }, 'mode', '"suggest-names"'),
  body({ mode: 'check_availability', domains: ['example.com'] }, 'mode', 'did you mean "check-availability"?'),
  body({ mode: 'availability', domain: 'example.com' }, 'mode', 'domain', 'did you mean domains?'),
  body(available(null), 'domains', 'at least one'),
  body(available([]), 'domains', 'at least one'),
  body(available('example.com'), 'domains', 'a list', '["..."]'),
  body(available('example.com, example.org'), 'domains', 'a list'),
  body(available(['acme']), 'domains.0', '.com'),
  body(available(['https://acme.io']), 'domains.0', 'bare name: acme.io'),
  body(available(['acme.con']), 'domains.0', '.con'),
  body(available(Array.from({ length: 101 }, (_, at) => `a${at}.com`)), 'domains', 'at most 100 entries, not 101'),
  body({ mode: 'search-extensions' }, 'query', 'acme'),
  body({ mode: 'search-extensions', query: 'acme kettles' }, 'query', 'blanks'),
  body({ mode: 'search-extensions', query: 'acme', exact_extension: true }, 'query', 'extension'),
  body({ mode: 'search-extensions', query: 'acme', exact_extension: 'true' }, 'exact_extension', 'true or false', 'without quotes'),
  body({ mode: 'search-extensions', query: 'acme', offset: -50 }, 'offset', 'from 0'),
  body({ mode: 'search-extensions', query: 'acme', page: 2 }, 'page', 'not known'),
  body({ mode: 'pricing', tlds: '.com' }, 'tlds', 'a list', '["..."]'),
  body({ mode: 'pricing', tlds: [] }, 'tlds', 'leave it out'),
  body({ mode: 'pricing', tlds: ['example.com'] }, 'tlds.0', 'example.com'),
  body({ mode: 'pricing', tlds: ['comm'] }, 'tlds.0', '.comm'),
  body({ description: 'A bakery', company_id: 'Acme Inc' }, 'company_id', 'example.com'),
  body({ description: ['bread', 'cakes'] }, 'description', 'a text'),
  body({ description: '???' }, 'description', 'what the business does'),
  taken({ body: { mode: 'extension-catalog', tlds: null, query: null, domains: null } }, '"success":true'),
)

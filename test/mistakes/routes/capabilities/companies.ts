import { body, operation, refused } from '../attempt.js'

/** Companies. */
export const companyMistakes = operation(
  'POST /v1/companies/find',
  body({}, 'domain', 'required'),
  body({ domain: 'https://www.example.com/about' }, 'domain', 'bare name: www.example.com'),
  body({ domain: 'Acme Inc' }, 'domain', 'example.com', 'blanks'),
  body({ domain: 'acme' }, 'domain', 'acme', 'such as'),
  body({ domain: 'com' }, 'domain', 'com', 'suffix'),
  body({ domain: 'sales@example.com' }, 'domain', 'bare name: example.com'),
  body({ domain: '192.0.2.1' }, 'domain', 'IP address', 'such as example.com'),
  body({ domain: 'example.com.' }, 'domain', 'bare name: example.com'),
  body({ domain: 'exa mple.com' }, 'domain', 'blanks'),
  body({ domain: '' }, 'domain', 'empty'),
  body({ domain: ['example.com'] }, 'domain', 'a text'),
  body({ url: 'https://example.com' }, 'domain', 'required', 'url'),
  body({ company_name: 'Acme' }, 'domain', 'required'),
  body({ domain: 'example.com', name: 'Acme' }, 'name', 'did you mean company_name?'),
  body({ domain: 'example.com', company_name: 7 }, 'company_name', 'a text'),
  refused(422, { body: { domain: 'no-such-company.invalid' } }, 'no-such-company.invalid'),
)

import { body, operation, refused } from '../attempt.js'

/** What is behind a site. */
export const siteMistakes = operation(
  'POST /v1/sites/intel',
  body({}, 'domain', 'required'),
  body({ url: 'https://example.com' }, 'url', 'domain', 'required'),
  body({ domain: 'https://example.com/page' }, 'domain', 'bare name: example.com'),
  body({ domain: 'example.com:8443' }, 'domain', 'bare name: example.com'),
  body({ domain: 'info@example.com' }, 'domain', 'bare name: example.com'),
  body({ domain: 'localhost' }, 'domain', 'localhost', 'such as example.com'),
  body({ domain: '127.0.0.1' }, 'domain', 'IP address', 'such as example.com'),
  body({ domain: 'example' }, 'domain', 'such as example.com'),
  body({ domain: '' }, 'domain', 'empty'),
  body({ domain: ['example.com'] }, 'domain', 'a text'),
  body({ domain: 'example.com', mode: 'tech' }, 'mode', '"tech-stack"'),
  body({ domain: 'example.com', mode: 'tech_stack' }, 'mode', 'did you mean "tech-stack"?'),
  body({ domain: 'example.com', mode: 'all' }, 'mode', '"overview"'),
  body({ domain: 'example.com', mode: ['dns', 'whois'] }, 'mode', 'not a list'),
  body({ domain: 'example.com', modes: ['dns'] }, 'modes', 'did you mean mode?'),
  refused(422, { body: { domain: 'no-such-site.invalid', mode: 'dns' } }, 'no-such-site.invalid'),
)

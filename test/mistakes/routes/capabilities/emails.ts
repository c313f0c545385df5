import { body, operation, refused } from '../attempt.js'

const person = { first_name: 'Ada', last_name: 'Example' }

/** Mail addresses. */
export const emailMistakes = [
  ...operation(
    'POST /v1/emails/find',
    body({}, 'first_name', 'last_name', 'domain', 'required'),
    body({ name: 'Ada Example', domain: 'example.com' }, 'name', 'first_name', 'last_name'),
    body({ full_name: 'Ada Example', domain: 'example.com' }, 'full_name', 'first_name'),
    body({ firstName: 'Ada', lastName: 'Example', domain: 'example.com' }, 'firstName', 'did you mean first_name?'),
    body({ ...person, domain: 'https://example.com' }, 'domain', 'without scheme'),
    body({ ...person, domain: 'ada@example.com' }, 'domain', 'after the @'),
    body({ ...person, domain: 'gmail.com' }, 'domain', 'company'),
    body({ ...person, domain: 'example' }, 'domain', 'example.com'),
    body({ ...person, company: 'Acme' }, 'domain', 'required'),
    body({ ...person, first_name: '', domain: 'example.com' }, 'first_name', 'empty'),
    body({ ...person, first_name: '7', domain: 'example.com' }, 'first_name', 'letter'),
    body({ ...person, last_name: 'ada@example.com', domain: 'example.com' }, 'last_name', 'emails.verify'),
    body({ ...person, last_name: null, domain: 'example.com' }, 'last_name', 'a text', 'not null'),
    body({ ...person, domain: ['example.com'] }, 'domain', 'a text'),
    refused(422, { body: { ...person, domain: 'no-such-company.invalid' } }, /domain/),
  ),
  ...operation(
    'POST /v1/emails/verify',
    body({}, 'email', 'required'),
    body({ emails: ['ada@example.com'] }, 'emails', 'did you mean email?'),
    body({ email: ['ada@example.com', 'bob@example.com'] }, 'email', 'a text', 'not a list'),
    body({ email: 'Ada Example <ada@example.com>' }, 'email', 'spaces'),
    body({ email: 'ada@example.com, bob@example.com' }, 'email', 'spaces'),
    body({ email: '' }, 'email', 'empty'),
    body({ address: 'ada@example.com' }, 'address', 'email', 'required'),
    body({ email: 'ada@example.com\n' }, 'email', 'line breaks'),
    body({ email: 'ada@example.com', timeout: 10 }, 'timeout', 'not known'),
  ),
]

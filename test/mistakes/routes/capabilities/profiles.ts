import { body, operation } from '../attempt.js'

/** People. */
export const profileMistakes = operation(
  'POST /v1/profiles/find',
  body({}, 'linkedin_url', 'first_name', 'last_name', 'company'),
  body({ first_name: 'Ada Example', company: 'Acme' }, 'last_name', 'first_name holds the whole name'),
  body({ first_name: 'Ada', last_name: 'Example' }, 'company', 'domain'),
  body({ name: 'Ada Example', company: 'Acme' }, 'name', 'first_name'),
  body({ linkedin: 'https://www.linkedin.com/in/ada' }, 'linkedin', 'did you mean linkedin_url?'),
  body({ url: 'https://www.linkedin.com/in/ada' }, 'url', 'linkedin_url'),
  body({ linkedin_url: 'ada-example' }, 'linkedin_url', 'https://www.linkedin.com/in/'),
  body({ linkedin_url: 'https://www.linkedin.com/company/acme' }, 'linkedin_url', 'companies.find'),
  body({ linkedin_url: 'https://example.com/in/ada' }, 'linkedin_url', 'https://www.linkedin.com/in/'),
  body({ linkedin_url: 'https://www.linkedin.com/' }, 'linkedin_url', '/in/'),
  body({ linkedin_url: 7 }, 'linkedin_url', 'a text'),
  body({ first_name: ' ', last_name: 'Example', company: 'Acme' }, 'first_name', 'empty or blank'),
  body({ first_name: 'Ada', last_name: 'Example', company: ['Acme'] }, 'company', 'a text'),
  body({ linkedin_url: 'https://www.linkedin.com/in/ada', include_image: 'yes' }, 'include_image', 'true or false'),
  body({ email: 'ada@example.com' }, 'email', 'linkedin_url'),
  body({ first_name: null, last_name: 'Example', company: 'Acme', linkedin_url: null }, 'first_name', 'must be given'),
)

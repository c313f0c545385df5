import { Fault, vendor } from '../../core/sdk/index.js'

/**
 * An own Reacher server (check-if-email-exists). With `header_secret` the server requires its header; the hosted
 * service has an API key. A missing secret is recognised by a text of the framework, not by the server's own error
 * format.
 */
export const reacher = vendor({
  id: 'reacher',
  title: 'Reacher (own instance)',
  home: 'https://docs.reacher.email',
  needsUrl: true,
  optionalSecrets: { header_secret: 'REACHER_HEADER_SECRET', api_key: 'REACHER_API_KEY' },
  auth: (secret) => {
    const [header, key] = [secret('header_secret'), secret('api_key')]
    return { headers: { ...(header === '' ? {} : { 'x-reacher-secret': header }), ...(key === '' ? {} : { authorization: key }) } }
  },
  fault: ({ status, body }) =>
    status === 404 || (status === 400 && typeof body === 'string')
      ? new Fault('credentials', 'The Reacher server does not accept the request: header_secret may be wrong.')
      : undefined,
})

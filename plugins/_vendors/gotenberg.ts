import { Fault, vendor } from '../../core/sdk/index.js'

/** Gotenberg, the operator's own instance. Its errors are plain text. */
export const gotenberg = vendor({
  id: 'gotenberg',
  title: 'Gotenberg (own instance)',
  home: 'https://gotenberg.dev/docs',
  needsUrl: true,
  optionalSecrets: { username: 'GOTENBERG_USERNAME', password: 'GOTENBERG_PASSWORD' },
  auth: (secret) => {
    const [username, password] = [secret('username'), secret('password')]
    if (username === '') return {}
    return { headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` } }
  },
  fault: ({ status, body }) => {
    if (status === 400 && typeof body === 'string' && /password/i.test(body))
      return new Fault('invalid', 'The file is protected by a password.')
    if (status === 404) return new Fault('broken', 'The Gotenberg instance has no route for this: check the vendor address.')
    if (status === 413) return new Fault('invalid', 'The file is larger than the Gotenberg instance accepts.')
    return undefined
  },
})

import { Fault, vendor } from '../../core/sdk/index.js'

/** The AUTOMATIC1111 web UI, or a fork with the same API, on the operator's server. It generates one picture at a time. */
export const automatic1111 = vendor({
  id: 'automatic1111',
  title: 'AUTOMATIC1111 (own server)',
  home: 'https://github.com/AUTOMATIC1111/stable-diffusion-webui/wiki/API',
  needsUrl: true,
  optionalSecrets: { login: 'AUTOMATIC1111_LOGIN' },
  pace: { requests: 100, perMs: 1_000, concurrent: 1 },
  auth: (secret) => {
    const login = secret('login')
    return login === '' ? {} : { headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } }
  },
  fault: ({ status }) =>
    status === 404 ? new Fault('broken', 'The AUTOMATIC1111 server has no such route or sampler: start it with --api.') : undefined,
})

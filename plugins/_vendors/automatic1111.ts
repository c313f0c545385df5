import { Fault, nullable, or, Type, vendor } from '../../core/sdk/index.js'

/** The AUTOMATIC1111 web UI, or a fork with the same paths, on a server of the operator's. It makes one picture at a time. */
export const automatic1111 = vendor({
  id: 'automatic1111',
  title: 'AUTOMATIC1111 (own server)',
  home: 'https://github.com/AUTOMATIC1111/stable-diffusion-webui/wiki/API',
  needsUrl: true,
  optionalSecrets: { login: 'AUTOMATIC1111_LOGIN' },
  settings: Type.Object({
    most_side: or(
      Type.Integer({
        minimum: 256,
        maximum: 4096,
        multipleOf: 8,
        description: 'Longest side in pixels that the server is asked for; its models are made for about 512 (SD 1.5) or 1024 (SDXL).',
      }),
      1024,
    ),
    steps: or(Type.Integer({ minimum: 1, maximum: 150, description: 'Sampling steps.' }), 25),
    checkpoint: or(
      nullable(Type.String({ minLength: 1, maxLength: 300, description: 'Checkpoint to load; null for the one that is loaded.' })),
      null,
    ),
    negative_prompt: or(Type.String({ maxLength: 1_000, description: 'What pictures must not show.' }), ''),
  }),
  pace: { requests: 100, perMs: 1_000, concurrent: 1 },
  auth: (secret) => {
    const login = secret('login')
    return login === '' ? {} : { headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } }
  },
  fault: ({ status }) =>
    status === 404 ? new Fault('broken', 'The AUTOMATIC1111 server has no such route or sampler: start it with --api.') : undefined,
})

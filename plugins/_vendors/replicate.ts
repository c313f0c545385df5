import { Fault, nullable, or, Type, vendor } from '../../core/sdk/index.js'
import { textAt } from './text-at.js'

/** Replicate's predictions. The pause that a 429 asks for may stand in its sentence alone. */
export const replicate = vendor({
  id: 'replicate',
  title: 'Replicate',
  home: 'https://replicate.com/docs/reference/http',
  baseUrl: 'https://api.replicate.com/v1',
  secrets: { api_token: 'REPLICATE_API_TOKEN' },
  settings: Type.Object({
    image_model: or(
      Type.String({
        pattern: '^[\\w.-]+/[\\w.-]+(?::[0-9a-f]{64})?$',
        maxLength: 300,
        description:
          'Model that generates pictures from prompt, aspect_ratio, num_outputs and output_format: owner/name, or owner/name:version.',
      }),
      'black-forest-labs/flux-schnell',
    ),
    image_reference_field: or(
      nullable(
        Type.String({
          pattern: '^[a-z]\\w{0,49}$',
          description: 'Input of the model that takes a reference picture, such as input_image; null for a model that takes none.',
        }),
      ),
      null,
    ),
  }),
  pace: { requests: 600, perMs: 60_000 },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_token')}` } }),
  fault: ({ status, headers, body }) => {
    if (status === 404) return new Fault('broken', 'replicate does not know the model or the job: check the models of vendor replicate.')
    if (status !== 429 || headers['retry-after'] !== undefined) return undefined
    const seconds = /(\d{1,5}) ?s(?:econds?)?\b/.exec(textAt(body, 'detail').slice(0, 500))?.[1]
    return seconds === undefined ? undefined : new Fault('busy', 'replicate asks for a pause.', { retryAfterSeconds: Number(seconds) })
  },
})

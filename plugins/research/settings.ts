import { or, Type } from '../../core/sdk/index.js'

export const settings = Type.Object({
  at_once: or(
    Type.Integer({ minimum: 1, maximum: 20, description: 'Searches, pages and look-ups of one research that run at the same time.' }),
    8,
  ),
  model_tokens: or(
    Type.Integer({
      minimum: 2_000,
      maximum: 10_000_000,
      description:
        'Most tokens, of questions and answers together, that a language model may take in a research of depth standard; three times as many in deep, six times in comprehensive.',
    }),
    80_000,
  ),
})

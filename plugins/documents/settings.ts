import { or, Type } from '../../core/sdk/index.js'

export const settings = Type.Object({
  chunk_tokens: or(
    Type.Integer({
      minimum: 500,
      maximum: 1_000_000,
      description:
        'Most tokens of a text that a model is shown at once; longer texts are shown in parts. A token is counted as 3.5 characters.',
    }),
    16_000,
  ),
  chunks: or(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Most parts of a text that are shown; what lies beyond them is left out, and `truncated` says so.',
    }),
    12,
  ),
})

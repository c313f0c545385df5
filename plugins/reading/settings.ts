import { or, Type } from '../../core/sdk/index.js'

export const settings = Type.Object({
  languages: or(
    Type.Array(Type.String({ pattern: '^[a-z]{3}(_[a-z]{2,10})*$' }), {
      minItems: 1,
      maxItems: 5,
      description: 'Languages of text in pictures when the caller names none, in the codes of tesseract.',
    }),
    ['eng'],
  ),
})

import { oneOf, or, Type } from '../../core/sdk/index.js'

/** The settings of every chat model vendor. `context` is the context of its default model in tokens. */
export const modelSettings = (context: number) => ({
  context: or(
    Type.Integer({
      minimum: 512,
      maximum: 100_000_000,
      description: 'Context of the chat model in tokens; longer documents are cut. A token is counted as 3.5 characters.',
    }),
    context,
  ),
  vision: or(
    Type.Unsafe<'auto' | 'off' | 'on' | 'pdf'>({
      ...oneOf('auto', 'off', 'on', 'pdf'),
      description:
        'What the chat model is shown: off, no files; on, pictures; pdf, pictures and PDF; auto, what the vendor is known to take.',
    }),
    'auto',
  ),
})

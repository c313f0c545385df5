import { nullable, or, Type, vendor } from '../../core/sdk/index.js'

/** Writes messages to a file instead of sending them, for development: the waterfall must name it. */
export const outbox = vendor({
  id: 'outbox',
  title: 'Outbox',
  optIn: true,
  settings: Type.Object({
    file: or(
      nullable(
        Type.String({
          pattern: '^/.',
          maxLength: 1_000,
          description: 'Absolute path of the file, a line of JSON a message; null for none.',
        }),
      ),
      null,
    ),
  }),
})

import { or, Type } from '../../core/sdk/index.js'

export const settings = Type.Object({
  suppressed: or(
    Type.Array(Type.String({ pattern: '^(?:[Ii][Nn]/[^\\s/]{1,200}|sha256:[0-9a-fA-F]{64})$' }), {
      maxItems: 10_000,
      description: 'People who are never looked up: in/NAME of a LinkedIn profile, or sha256:HASH of that or of a name with a company.',
    }),
    [],
  ),
  at_once: or(Type.Integer({ minimum: 1, maximum: 10, description: 'Vendors that are asked for one person at the same time.' }), 2),
  most_vendors: or(Type.Integer({ minimum: 1, maximum: 20, description: 'Vendors that are asked for one person at most.' }), 5),
})

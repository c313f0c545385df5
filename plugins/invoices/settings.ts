import { or, Type } from '../../core/sdk/index.js'

export const settings = Type.Object({
  paid_tries: or(
    Type.Integer({
      minimum: 1,
      maximum: 20,
      description: 'Services and models that read one invoice at most, where the amounts of what they read do not add up.',
    }),
    2,
  ),
})

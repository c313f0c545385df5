import { or, Type } from '../../core/sdk/index.js'

export const settings = Type.Object({
  per_account_per_day: or(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      description: 'Captchas that the calls of one account may have solved in a day; 0 solves none.',
    }),
    20,
  ),
})

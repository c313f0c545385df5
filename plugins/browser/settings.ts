import { or, Type } from '../../core/sdk/index.js'

/** Operator settings of the browsers. */
export const settings = Type.Object({
  pages: or(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description: 'Pages of one account open at once; one more place is kept for another account.',
    }),
    4,
  ),
  browsers: or(
    Type.Integer({
      minimum: 1,
      maximum: 16,
      description: 'Browsers at once that pages share; pages of different accounts are opened in different ones while there are enough.',
    }),
    2,
  ),
  uses: or(Type.Integer({ minimum: 1, maximum: 1000, description: 'Pages after which the browser is started anew.' }), 50),
  lifetime: or(Type.Integer({ minimum: 10, maximum: 86_400, description: 'Seconds after which the browser is started anew.' }), 600),
  idle: or(Type.Integer({ minimum: 1, maximum: 86_400, description: 'Seconds without a page after which the browser is closed.' }), 120),
  heap: or(Type.Integer({ minimum: 64, maximum: 4096, description: 'Script memory of one page in MiB.' }), 512),
  stealth_timezone: or(
    Type.String({
      maxLength: 60,
      pattern: '^(?:[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*)?$',
      description: 'Time zone that the stealth browser shows, such as Europe/Berlin; empty for that of the machine.',
    }),
    '',
  ),
})

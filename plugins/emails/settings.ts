import { nullable, or, Type, type Static } from '../../core/sdk/index.js'

export const settings = Type.Object({
  ehlo_name: or(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 253,
        pattern: '^[A-Za-z0-9.:\\[\\]-]+$',
        description:
          'Name by which the gateway greets mail servers (EHLO): that of the reverse DNS of its address. Default: the name of the host.',
      }),
    ),
    null,
  ),
  mail_from: or(
    nullable(
      Type.String({
        maxLength: 254,
        pattern: '^$|^[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+$',
        description: 'Sender named to mail servers (MAIL FROM), whose domain should take mail. Default: the empty one, as of a bounce.',
      }),
    ),
    null,
  ),
  probes_per_account_per_day: or(
    Type.Integer({
      minimum: 0,
      maximum: 10_000_000,
      description:
        'Mailboxes that the calls of one account may have asked for at mail servers in a day (UTC), over all replicas; 0 asks for none.',
    }),
    1_000,
  ),
})

export type EmailSettings = Static<typeof settings>

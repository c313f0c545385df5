import { or, Type, type Static } from '../../core/sdk/index.js'

const MOST = 10_000_000

function daily(description: string, value: number) {
  return or(
    Type.Integer({ minimum: 0, maximum: MOST, description: `${description} in a day (UTC), over all replicas; 0 allows none.` }),
    value,
  )
}

export const settings = Type.Object({
  countries: or(
    Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
      maxItems: 300,
      description: 'Countries whose numbers messages may be sent to, such as DE,FR (ISO 3166-1). Empty: no message is sent.',
    }),
    [],
  ),
  account_senders: or(
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}=[A-Za-z0-9+][A-Za-z0-9 &._+-]{0,39}$' }), {
      maxItems: 500,
      description:
        'Senders that are reserved for an account, as ACCOUNT=SENDER with the id of the account. No other account sends from them, and this account sends from no others.',
    }),
    [],
  ),
  max_segments: or(
    Type.Integer({
      minimum: 1,
      maximum: 49,
      description: 'Segments that one SMS may take; vendors bill each. 1,600 characters take 11 of GSM-7, up to 49 of UCS-2.',
    }),
    11,
  ),
  per_number_per_10_minutes: or(
    Type.Integer({
      minimum: 0,
      maximum: MOST,
      description: 'Messages that one number gets in ten minutes, over all accounts and replicas.',
    }),
    3,
  ),
  per_number_per_day: daily('Messages that one number gets, of all accounts,', 10),
  per_prefix_per_day: daily('Messages that numbers get, of all accounts, which are alike but for the last four digits,', 50),
  per_account_per_day: daily('Messages that one account sends', 500),
  per_country_per_day: daily('Messages that one country gets, of all accounts,', 5_000),
  country_factor: or(
    Type.Number({
      minimum: 0,
      maximum: 1_000,
      description: 'A country that got so many times the mean of its last seven days is paused until the next day (UTC); 0 pauses none.',
    }),
    2,
  ),
  country_floor: or(
    Type.Integer({ minimum: 0, maximum: MOST, description: 'Messages in a day below which no country is paused for its mean.' }),
    100,
  ),
})

export type MessageSettings = Static<typeof settings>

import { or, Type } from '../../core/sdk/index.js'

const DESCRIPTION =
  'With a country before it (US=+15005550102) a sender is for that country, without one for all others. Callers may name no other sender.'

/** The setting that lists the senders of a vendor's account; `about` describes a sender. */
export function sendersOf(about: string) {
  return or(
    Type.Array(Type.String({ pattern: '^(?:[A-Z]{2}=)?[A-Za-z0-9+][A-Za-z0-9 &._+-]{0,39}$' }), {
      maxItems: 500,
      description: `${about} ${DESCRIPTION}`,
    }),
    [],
  )
}

/** The value of an Authorization header for a user and a password (RFC 7617). */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

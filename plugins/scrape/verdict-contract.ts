import { nullable, oneOf, port, Type } from '../../core/sdk/index.js'

const text = nullable(Type.String())

/**
 * Says of markup whether it is the page that was asked for, or a refusal, captcha, login wall, page for what is not there or empty shell in its
 * place; and which captcha it shows. Every mode of scrape judges by the same rules.
 */
export const pageVerdict = port({
  id: 'page.verdict',
  input: Type.Object({
    html: Type.String({ maxLength: 5_000_000, description: 'Markup as it stands.' }),
    asked: Type.String({ minLength: 1, maxLength: 8192, description: 'Address that was asked for.' }),
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'Address of the page after redirects.' }),
  }),
  output: Type.Object({
    /** Null for a page that has what was asked for. */
    verdict: nullable(
      Type.Object({
        kind: oneOf('block', 'captcha', 'login', 'missing', 'empty'),
        name: Type.String({ description: 'Whose doing it is.' }),
      }),
    ),
    captcha: nullable(
      Type.Object({
        /** `other` is one that nobody here can have solved. */
        kind: oneOf('recaptcha_v2', 'recaptcha_v3', 'turnstile', 'other'),
        name: Type.String(),
        site_key: text,
        invisible: Type.Boolean(),
        enterprise: Type.Boolean(),
        action: text,
        data_s: text,
        data: text,
      }),
    ),
  }),
})

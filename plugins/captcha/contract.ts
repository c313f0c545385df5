import { nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'

const short = (description: string) => nullable(Type.String({ minLength: 1, maxLength: 2000, description }))

/**
 * The token that a page accepts as proof of a solved CAPTCHA, to be submitted through the page's own form or callback
 * with the user agent that solved it. A CAPTCHA that no vendor could solve is `missing`. The vendor charges the
 * operator.
 */
export const captchaSolve = port({
  id: 'captcha.solve',
  input: Type.Object({
    kind: { ...oneOf('recaptcha_v2', 'recaptcha_v3', 'turnstile'), description: 'Google reCAPTCHA or Cloudflare Turnstile.' },
    site_key: Type.String({ minLength: 1, maxLength: 200, description: 'Site key from the page: data-sitekey, or render= of the script.' }),
    page_url: Type.String({ pattern: '^https?://', maxLength: 8192, description: 'URL of the page; it is not opened by the gateway.' }),
    invisible: or(Type.Boolean({ description: 'Invisible reCAPTCHA v2, without a checkbox.' }), false),
    enterprise: or(Type.Boolean({ description: 'reCAPTCHA Enterprise.' }), false),
    action: or(short('Action from the page: pageAction, or data-action of Turnstile.'), null),
    min_score: or(
      Type.Unsafe<0.3 | 0.7 | 0.9>({ type: 'number', enum: [0.3, 0.7, 0.9], description: 'reCAPTCHA v3: minimum score.' }),
      0.3,
    ),
    data_s: or(short('reCAPTCHA v2: the attribute data-s.'), null),
    data: or(short('Turnstile: cData, the attribute data-cdata.'), null),
    page_data: or(short('Turnstile challenge page: chlPageData of its render call; requires action and data too.'), null),
    user_agent: or(short('User agent that will send the token.'), null),
  }),
  output: Type.Object({
    token: Type.String({ minLength: 1 }),
    /** The user agent to send the token with, which solved it; null if any is accepted. */
    user_agent: nullable(Type.String()),
    /**
     * Lifetime of the token in seconds: 120 for reCAPTCHA (https://developers.google.com/recaptcha/docs/verify), 300
     * for Turnstile (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/).
     */
    expires_in: Type.Integer(),
  }),
})

export type Captcha = Static<typeof captchaSolve.input>
export type Solved = Static<typeof captchaSolve.output>

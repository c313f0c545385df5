import { nullable, oneOf, or, port, Type, type Static } from '../../core/sdk/index.js'

const short = (description: string) => nullable(Type.String({ minLength: 1, maxLength: 2000, description }))

/**
 * The token that a page accepts as the proof of a solved captcha. It is for the page's own form or call-back and for the user agent that solved it.
 * A captcha that nobody could solve is `missing`. Costs the operator money at the vendor.
 */
export const captchaSolve = port({
  id: 'captcha.solve',
  input: Type.Object({
    kind: { ...oneOf('recaptcha_v2', 'recaptcha_v3', 'turnstile'), description: 'Google reCAPTCHA or Cloudflare Turnstile.' },
    site_key: Type.String({ minLength: 1, maxLength: 200, description: 'As the page names it: data-sitekey, or render= of the script.' }),
    page_url: Type.String({ pattern: '^https?://', maxLength: 8192, description: 'Address of the page; nobody here opens it.' }),
    invisible: or(Type.Boolean({ description: 'reCAPTCHA v2 without a box to tick.' }), false),
    enterprise: or(Type.Boolean({ description: 'reCAPTCHA Enterprise.' }), false),
    action: or(short('Action that the page names: pageAction, or data-action of Turnstile.'), null),
    min_score: or(
      Type.Unsafe<0.3 | 0.7 | 0.9>({ type: 'number', enum: [0.3, 0.7, 0.9], description: 'reCAPTCHA v3: the least score wanted.' }),
      0.3,
    ),
    data_s: or(short('reCAPTCHA v2: the attribute data-s.'), null),
    data: or(short('Turnstile: cData, the attribute data-cdata.'), null),
    page_data: or(short('Turnstile on a whole page: chlPageData of its render call; needs action and data too.'), null),
    user_agent: or(short('User agent that will send the token.'), null),
  }),
  output: Type.Object({
    token: Type.String({ minLength: 1 }),
    /** The user agent that solved it, with which the token is to be sent; null when any will do. */
    user_agent: nullable(Type.String()),
    /**
     * Seconds for which the page accepts it: 120 for reCAPTCHA (https://developers.google.com/recaptcha/docs/verify), 300 for Turnstile
     * (https://developers.cloudflare.com/turnstile/get-started/server-side-validation/).
     */
    expires_in: Type.Integer(),
  }),
})

export type Captcha = Static<typeof captchaSolve.input>
export type Solved = Static<typeof captchaSolve.output>

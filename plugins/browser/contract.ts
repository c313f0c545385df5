import { nullable, oneOf, or, port, scratchFile, Type } from '../../core/sdk/index.js'

export { browserPicture, FORMATS } from './pictures/contract.js'
export { MOST_BYTES, MOST_HEIGHT, QUALITY } from './pictures/limits.js'

const question = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 8192, description: 'URL of the page, http or https.' }),
  wait_for: or(
    nullable(Type.String({ minLength: 1, maxLength: 1000, description: 'CSS selector that must match before the page is read.' })),
    null,
  ),
  timeout_ms: or(
    Type.Integer({
      minimum: 1000,
      maximum: 120_000,
      description: 'Time limit for navigation and waiting together, in milliseconds; navigation alone gets at most 30,000.',
    }),
    30_000,
  ),
  width: or(Type.Integer({ minimum: 16, maximum: 3840, description: 'Viewport width in CSS pixels.' }), 1280),
  height: or(Type.Integer({ minimum: 16, maximum: 2160, description: 'Viewport height in CSS pixels.' }), 800),
  full_page: or(Type.Boolean({ description: 'Capture the whole page, at most 16,384 pixels high, instead of the viewport.' }), false),
  screenshot: or(nullable(oneOf('png', 'jpeg')), null),
  scroll: or(
    Type.Boolean({
      description: 'Scroll down while more content loads, at most 10 screens, before the page is read; then return to the top.',
    }),
    false,
  ),
  must_match: or(
    Type.Boolean({ description: 'False: a page on which `wait_for` matches nothing in time is read as it is, with `matched` false.' }),
    true,
  ),
})
const answer = Type.Object({
  /** The document after scripts ran, at most 5,000,000 characters. */
  html: Type.String(),
  /** URL of the main document after redirects. */
  final_url: Type.String(),
  /** HTTP status of the last response for the main document. */
  status: Type.Integer(),
  title: nullable(Type.String()),
  /** MIME type of the main document, lower case, without parameters; empty when unknown. */
  content_type: Type.String(),
  screenshot: nullable(scratchFile),
  /** False when `wait_for` matched nothing in time; null without `wait_for`. */
  matched: nullable(Type.Boolean()),
})

/** Opens a page in a local browser and returns its HTML once it is ready, with a screenshot if requested. */
export const browserRender = port({ id: 'browser.render', input: question, output: answer })

/**
 * The same in a browser that is hard to detect as automated. It waits for bot checks to pass, and has one CAPTCHA of a
 * page solved if `captcha.solve` is live and nothing else passed it.
 */
export const browserStealth = port({ id: 'browser.stealth', input: question, output: answer })

import { nullable, oneOf, or, port, scratchFile, Type } from '../../core/sdk/index.js'

export { browserPicture, FORMATS } from './pictures/contract.js'
export { MOST_BYTES, MOST_HEIGHT, QUALITY } from './pictures/limits.js'

const question = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 8192, description: 'Address of the page, http or https.' }),
  wait_for: or(
    nullable(Type.String({ minLength: 1, maxLength: 1000, description: 'CSS selector that must be there before the page is read.' })),
    null,
  ),
  timeout_ms: or(
    Type.Integer({
      minimum: 1000,
      maximum: 120_000,
      description: 'Time for navigation and waiting together, in milliseconds; navigation alone never gets more than 30,000.',
    }),
    30_000,
  ),
  width: or(Type.Integer({ minimum: 16, maximum: 3840, description: 'Width of the window in CSS pixels.' }), 1280),
  height: or(Type.Integer({ minimum: 16, maximum: 2160, description: 'Height of the window in CSS pixels.' }), 800),
  full_page: or(Type.Boolean({ description: 'Picture of the whole page, at most 16,384 pixels high, instead of the window.' }), false),
  screenshot: or(nullable(oneOf('png', 'jpeg')), null),
  scroll: or(
    Type.Boolean({ description: 'Scroll down while more is loaded, 10 screens at most, before the page is read; then back to its top.' }),
    false,
  ),
  must_match: or(
    Type.Boolean({ description: 'False reads a page as it stands on which `wait_for` matched nothing in time; `matched` says so.' }),
    true,
  ),
})
const answer = Type.Object({
  /** The document as it is after scripts ran; at most 5,000,000 characters. */
  html: Type.String(),
  /** Address of the main document after redirects. */
  final_url: Type.String(),
  /** Status of the main document's last response. */
  status: Type.Integer(),
  title: nullable(Type.String()),
  /** Media type of the main document, lower case, without parameters; empty when unknown. */
  content_type: Type.String(),
  screenshot: nullable(scratchFile),
  /** False when `wait_for` matched nothing in time; null when nothing was waited for. */
  matched: nullable(Type.Boolean()),
})

/** Opens a page in a browser of ours and gives back what is in it once it is ready: the markup, and a picture when asked for. */
export const browserRender = port({ id: 'browser.render', input: question, output: answer })

/**
 * The same in a browser that gives itself away as little as can be. It waits for checks of protections to pass, and has one captcha of a page
 * solved where `captcha.solve` is live and nothing else got past it.
 */
export const browserStealth = port({ id: 'browser.stealth', input: question, output: answer })

import { oneOf, or, port, scratchFile, Type, type Static } from '../../../core/sdk/index.js'

export const FORMATS = ['png', 'jpeg', 'webp', 'pdf'] as const

/**
 * Opens a page in a local browser and captures it once it is ready: consent banners closed, chat widgets hidden,
 * animations stopped, and lazy content of a whole page loaded. A file in `html` is shown under the URL, which is then
 * not requested. A page of any status is captured; a download is `invalid`.
 */
export const browserPicture = port({
  id: 'browser.picture',
  input: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'URL of the page, http or https.' }),
    html: Type.Optional(scratchFile),
    timeout_ms: or(
      Type.Integer({ minimum: 1000, maximum: 120_000, description: 'Time limit of the whole capture in milliseconds.' }),
      30_000,
    ),
    width: or(Type.Integer({ minimum: 16, maximum: 3840, description: 'Viewport width in CSS pixels.' }), 1280),
    height: or(Type.Integer({ minimum: 16, maximum: 2160, description: 'Viewport height in CSS pixels.' }), 720),
    format: or(oneOf(...FORMATS), 'png'),
    full_page: or(Type.Boolean({ description: 'Capture the whole page, at most 16,384 pixels high, instead of the viewport.' }), false),
  }),
  output: Type.Object({
    /** The image, or a PDF with A4 pages. */
    file: scratchFile,
    /** URL of the main document after redirects. */
    final_url: Type.String(),
    /** HTTP status of the last response for the main document. */
    status: Type.Integer(),
    /** Remarks for the caller, such as that the image was cut off. */
    notes: Type.Array(Type.String()),
  }),
})

export type PictureInput = Static<typeof browserPicture.input>
export type PictureOutput = Static<typeof browserPicture.output>

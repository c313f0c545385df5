import { oneOf, or, port, scratchFile, Type, type Static } from '../../../core/sdk/index.js'

export const FORMATS = ['png', 'jpeg', 'webp', 'pdf'] as const

/**
 * Opens a page in a browser of ours and takes its picture once it is ready: consent banners closed, chat windows hidden, nothing moving, and of
 * a whole page also what is loaded only when it comes into view. A file in `html` is shown at the address, which is then not asked. A page of any status is pictured; one that is a download is `invalid`.
 */
export const browserPicture = port({
  id: 'browser.picture',
  input: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'Address of the page, http or https.' }),
    html: Type.Optional(scratchFile),
    timeout_ms: or(Type.Integer({ minimum: 1000, maximum: 120_000, description: 'Time for all of it, in milliseconds.' }), 30_000),
    width: or(Type.Integer({ minimum: 16, maximum: 3840, description: 'Width of the window in CSS pixels.' }), 1280),
    height: or(Type.Integer({ minimum: 16, maximum: 2160, description: 'Height of the window in CSS pixels.' }), 720),
    format: or(oneOf(...FORMATS), 'png'),
    full_page: or(Type.Boolean({ description: 'The whole page, at most 16,384 pixels high, instead of the window.' }), false),
  }),
  output: Type.Object({
    /** The picture; a pdf has pages of A4. */
    file: scratchFile,
    /** Address of the main document after redirects. */
    final_url: Type.String(),
    /** Status of the main document's last response. */
    status: Type.Integer(),
    /** What the caller should know of the picture, such as that it was cut. */
    notes: Type.Array(Type.String()),
  }),
})

export type PictureInput = Static<typeof browserPicture.input>
export type PictureOutput = Static<typeof browserPicture.output>

import { capability, flat, nullable, oneOf, or, Type, type Static } from '../../core/sdk/index.js'
import { FORMATS } from '../browser/contract.js'
import { addressViolations } from '../scrape/contract.js'

/** Takes a picture of a web page. */
export const capture = capability({
  id: 'screenshots.capture',
  path: '/v1/screenshots/capture',
  phrases: [
    { say: '* look rendered snapshot preview thumbnail desktop mobile phone viewport picture page site' },
    { say: 'screenshot {url}' },
    { say: 'screen capture|shot|grab' },
    { say: 'capture {url}' },
    { say: 'picture|image|photo|snapshot of page|site|website {url}' },
    { say: 'what does {url} look like' },
    { say: 'how does {url} look' },
    { say: 'print page|site|website as|to pdf', params: { format: 'pdf' } },
    { say: 'full|whole|entire page|length', params: { full_page: true } },
  ],
  title: 'Take a picture of a web page',
  description:
    'Opens a web page in a browser and gives its picture as png, jpeg or webp, or as a pdf of A4 sheets with backgrounds. The window has the width and height asked for; ' +
    'full_page takes the whole page instead, with images that are loaded only when scrolled to, up to 16,384 pixels high. Consent banners are declined or hidden, chat windows hidden, ' +
    'animations stopped. An error page of the site (404, 500) is pictured and its status named in metadata.notes; pages that refuse access or cannot be reached are an error and cost nothing.',
  input: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'Address of the page, http or https.' }),
    width: or(
      Type.Integer({
        minimum: 16,
        maximum: 3840,
        description: 'Width of the window in pixels; of no effect on a pdf, which has A4 sheets.',
      }),
      1280,
    ),
    height: or(
      Type.Integer({
        minimum: 16,
        maximum: 2160,
        description: 'Height of the window in pixels; a picture of the whole page is as high as the page.',
      }),
      720,
    ),
    format: or({ ...oneOf(...FORMATS), description: 'Kind of file.' }, 'png'),
    full_page: or(
      Type.Boolean({ description: 'The whole page, cut at 16,384 pixels, instead of the window; a pdf always has the whole page.' }),
      false,
    ),
  }),
  output: Type.Object({
    image_base64: Type.String({ description: 'The file, base64.' }),
    format: oneOf(...FORMATS),
    width: nullable(Type.Integer({ description: 'Pixels of the picture; of a pdf points (1/72 inch) of its first sheet, 595 for A4.' })),
    height: nullable(Type.Integer({ description: 'Pixels of the picture; of a pdf points of its first sheet, 842 for A4.' })),
    full_page: Type.Boolean({ description: 'As asked for.' }),
    size_bytes: Type.Integer({ description: 'Bytes of the file.' }),
  }),
  price: flat(1),
  timeoutMs: 45_000,
  products: ['browser'],
  work: 'browser',
  check: ({ url }) => addressViolations(url),
  examples: [
    { title: 'Picture of a page as it first shows', params: { url: 'https://example.com/' } },
    {
      title: 'The whole page, as small a file as possible',
      params: { url: 'https://example.com/article', full_page: true, format: 'webp' },
    },
    { title: 'A page as a phone shows it', params: { url: 'https://example.com/', width: 390, height: 844, format: 'jpeg' } },
    { title: 'Print a page', params: { url: 'https://example.com/terms', format: 'pdf' } },
  ],
})

export type CaptureInput = Static<typeof capture.input>
export type CaptureOutput = Static<typeof capture.output>
export type Format = CaptureInput['format']

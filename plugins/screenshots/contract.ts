import { capability, flat, nullable, oneOf, or, Type, type Static } from '../../core/sdk/index.js'
import { FORMATS } from '../browser/contract.js'
import { addressViolations } from '../scrape/contract.js'

/** Captures a screenshot of a web page. */
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
  title: 'Capture a screenshot of a web page',
  description:
    'Opens a web page in a browser and returns a screenshot as PNG, JPEG or WebP, or the page as a PDF with A4 pages ' +
    'and backgrounds. width and height set the viewport; full_page captures the whole page instead, including ' +
    'lazy-loaded images, up to 16,384 pixels high. Consent banners are declined or hidden, chat widgets hidden and ' +
    'animations stopped. An error page of the site (404, 500) is captured and its status given in metadata.notes; ' +
    'pages that refuse access or cannot be reached fail with an error and are not charged.',
  input: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 8192, description: 'URL of the page, http or https.' }),
    width: or(
      Type.Integer({
        minimum: 16,
        maximum: 3840,
        description: 'Viewport width in pixels. Ignored for pdf, which has A4 pages.',
      }),
      1280,
    ),
    height: or(
      Type.Integer({
        minimum: 16,
        maximum: 2160,
        description: 'Viewport height in pixels. With full_page, the image is as high as the page.',
      }),
      720,
    ),
    format: or({ ...oneOf(...FORMATS), description: 'File format.' }, 'png'),
    full_page: or(
      Type.Boolean({ description: 'Whether to capture the whole page, up to 16,384 pixels high. pdf always has the whole page.' }),
      false,
    ),
  }),
  output: Type.Object({
    image_base64: Type.String({ description: 'The file, Base64-encoded.' }),
    format: oneOf(...FORMATS),
    width: nullable(Type.Integer({ description: 'Width in pixels; for pdf, width of the first page in points (1/72 inch), 595 for A4.' })),
    height: nullable(Type.Integer({ description: 'Height in pixels; for pdf, height of the first page in points, 842 for A4.' })),
    full_page: Type.Boolean({ description: 'full_page of the request.' }),
    size_bytes: Type.Integer({ description: 'Size of the file in bytes.' }),
  }),
  price: flat(1),
  timeoutMs: 45_000,
  products: ['browser'],
  work: 'browser',
  check: ({ url }) => addressViolations(url),
  examples: [
    { title: 'The visible part of a page', params: { url: 'https://example.com/' } },
    {
      title: 'The whole page as a small WebP file',
      params: { url: 'https://example.com/article', full_page: true, format: 'webp' },
    },
    { title: 'A page in the viewport of a phone', params: { url: 'https://example.com/', width: 390, height: 844, format: 'jpeg' } },
    { title: 'A page as PDF', params: { url: 'https://example.com/terms', format: 'pdf' } },
  ],
})

export type CaptureInput = Static<typeof capture.input>
export type CaptureOutput = Static<typeof capture.output>
export type Format = CaptureInput['format']

import { capability, flat, oneOf, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { addressViolations } from '../_shared/address.js'
import { pictureMake } from '../picture/contract.js'

const SIZES = ['auto', 'preview', 'full'] as const
const FORMATS = ['png', 'webp'] as const

/**
 * Input and output of the vendors of images.remove_background: the image that the handler fetched, upright, in sRGB,
 * with one page and 8 bits per channel, without metadata. For an image that it cannot cut out, a vendor ends with
 * `missing`, or null.
 */
export const cutoutVendors = port({
  id: 'images.remove_background',
  input: Type.Object({
    file: scratchFile,
    content_type: oneOf('image/png', 'image/jpeg'),
    /** Pixels. */
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    size: oneOf(...SIZES),
    format: oneOf(...FORMATS),
  }),
  output: Type.Object({
    /** In the requested format and size, partly transparent (`finished.ts`). */
    file: scratchFile,
    width: Type.Integer(),
    height: Type.Integer(),
  }),
})

export const removeBackground = capability({
  id: 'images.remove_background',
  path: '/v1/images/remove-background',
  phrases: [
    { say: '* background backdrop cutout transparent isolate subject clip foreground white' },
    { say: 'remove|erase|delete|drop background|backdrop' },
    { say: 'without background|backdrop' },
    { say: 'cut out' },
    { say: 'cutout' },
    { say: 'transparent background' },
    { say: 'make|turn transparent' },
    { say: 'isolate subject|product|person|object' },
    { say: 'background|backdrop from|of|in image|picture|photo' },
  ],
  title: 'Remove the background of an image',
  description:
    'Removes the background of an image and returns the subject (people, products, animals, drawings) on a ' +
    'transparent background, as PNG or WebP. Accepts JPEG, PNG, WebP, GIF, TIFF, AVIF and SVG of up to 20 MiB and 40 ' +
    'megapixels; the image is rotated by its EXIF orientation, and an animation is reduced to its first frame. size ' +
    'auto returns up to 10 megapixels, preview up to 0.25 megapixels, full the size of the source. An image without ' +
    'a recognisable subject is not charged.',
  input: Type.Object({
    image_url: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'URL of the image, http or https, or a file link of this gateway.',
    }),
    size: or(
      Type.Unsafe<(typeof SIZES)[number]>({
        ...oneOf(...SIZES),
        description: 'auto: source size, at most 10 megapixels; preview: at most 0.25 megapixels; full: source size.',
      }),
      'auto',
    ),
    format: or(
      Type.Unsafe<(typeof FORMATS)[number]>({ ...oneOf(...FORMATS), description: 'File format; both support transparency.' }),
      'png',
    ),
  }),
  output: Type.Object({
    image_base64: Type.String({ description: 'The image with a transparent background, Base64-encoded.' }),
    format: oneOf(...FORMATS),
    content_type: Type.String({ description: 'MIME type of the image.' }),
  }),
  price: flat(2),
  timeoutMs: 60_000,
  work: 'media',
  uses: [pictureMake],
  requires: () => [pictureMake],
  vendors: cutoutVendors,
  check: ({ image_url: url }) => addressViolations(url, { loc: ['image_url'], file: true }),
  examples: [
    { title: 'Cut out a product', params: { image_url: 'https://example.com/shoe.jpg' } },
    { title: 'A small preview as WebP', params: { image_url: 'https://example.com/portrait.jpg', size: 'preview', format: 'webp' } },
  ],
})

export type CutoutInput = Static<typeof cutoutVendors.input>
export type CutoutOutput = Static<typeof cutoutVendors.output>

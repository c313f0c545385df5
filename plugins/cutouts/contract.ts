import { capability, flat, oneOf, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { addressViolations } from '../_shared/address.js'
import { pictureMake } from '../picture/contract.js'

const SIZES = ['auto', 'preview', 'full'] as const
const FORMATS = ['png', 'webp'] as const

/**
 * What the vendors of images.remove_background are asked: the picture that the handler fetched, upright, in sRGB, of one page and 8 bits a channel,
 * without metadata. What one vendor cannot cut out is `missing`, or null.
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
    /** In the format and size asked for, partly transparent (`finished.ts`). */
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
  title: 'Remove the background of a picture',
  description:
    'Cuts the subject of a picture out of its background: people, products, animals, drawings. The answer is the subject on transparent ground, as PNG or WebP. ' +
    'Takes JPEG, PNG, WebP, GIF, TIFF, AVIF and SVG up to 20 MiB and 40 million pixels, turned upright by its EXIF orientation; of a moving picture the first frame. ' +
    'size auto gives up to 10 million pixels, preview up to 0.25 million, full the pixels of the source. A picture in which no subject is found costs nothing.',
  input: Type.Object({
    image_url: Type.String({
      minLength: 1,
      maxLength: 8192,
      description: 'Address of the picture, http or https, or a link of this gateway.',
    }),
    size: or(
      Type.Unsafe<(typeof SIZES)[number]>({
        ...oneOf(...SIZES),
        description:
          'auto: the size of the source, at most 10 million pixels. preview: at most 0.25 million. full: the size of the source.',
      }),
      'auto',
    ),
    format: or(
      Type.Unsafe<(typeof FORMATS)[number]>({ ...oneOf(...FORMATS), description: 'Kind of file; both can be transparent.' }),
      'png',
    ),
  }),
  output: Type.Object({
    image_base64: Type.String({ description: 'The picture with a transparent background, base64.' }),
    format: oneOf(...FORMATS),
    content_type: Type.String({ description: 'Media type of the picture.' }),
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

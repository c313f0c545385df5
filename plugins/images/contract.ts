import { addressViolations } from '../_shared/address.js'
import { capability, flat, nullable, oneOf, or, port, scratchFile, Type, type Static, type Violation } from '../../core/sdk/index.js'

export const ASPECT_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const
export const IMAGE_SIZES = ['512px', '1K', '2K', '4K'] as const

/** Longest prompt of a caller, without the house style. */
const MOST_PROMPT = 4_000
/** A prompt of spaces and punctuation alone is refused. */
const SAYS_SOMETHING = /[^\s\p{P}\p{C}]/u

const ratio = { ...oneOf(...ASPECT_RATIOS), description: 'Ratio of width to height.' }
const size = {
  ...oneOf(...IMAGE_SIZES),
  description: 'Longer side in pixels: 512, 1024 (1K), 2048 (2K) or 4096 (4K). aspect_ratio sets the shorter side.',
}

/**
 * Input and output of the vendors of images.generate. A vendor that refuses the prompt, or returns an image of one
 * colour in place of one that it withholds, ends with an `invalid` Fault of status 200, so that the next one is tried.
 */
export const imageVendors = port({
  id: 'images.generate',
  input: Type.Object({
    /** With the house style, unless the caller skips it. */
    prompt: Type.String({ minLength: 1 }),
    aspect_ratio: ratio,
    image_size: size,
    /** An upright JPEG image without metadata, at most 1,536 pixels a side; null for none. */
    reference: nullable(scratchFile),
  }),
  output: Type.Object({
    /** Exactly the requested size, encoded by this gateway, without metadata. */
    file: scratchFile,
    content_type: Type.String(),
  }),
})

/** Generates an image from a prompt. */
export const imagesGenerate = capability({
  id: 'images.generate',
  path: '/v1/images/generate',
  phrases: [
    { say: '* artwork poster icon wallpaper cartoon cover logo painting drawing illustration render photo picture image' },
    { say: 'draw|paint|sketch|illustrate {prompt}' },
    { say: 'generate|create|make|design|render|need|want image|picture|photo|illustration|drawing|logo|painting of|showing|with {prompt}' },
    { say: 'generate|create|make|design|render|need|want image|picture|illustration|drawing|painting|artwork' },
    { say: 'image|picture|illustration|drawing|painting of|showing {prompt}' },
    { say: 'generate {prompt} as image|picture' },
  ],
  title: 'Generate an image',
  aliases: ['images'],
  description:
    'Generates an image from a text prompt and an optional reference image. The result has exactly the requested ' +
    'aspect ratio and size. An image that a provider returns in another size is cropped at the centre and scaled, ' +
    'with a remark in metadata.notes. A house style is added to the prompt unless skip_default_style is true. If a ' +
    'provider refuses the prompt, or returns a black image instead, the next one is tried; if all refuse, the call ' +
    'fails and is not charged.',
  input: Type.Object({
    prompt: Type.String({ minLength: 1, maxLength: MOST_PROMPT, description: 'Description of the image.' }),
    aspect_ratio: or(ratio, '1:1'),
    image_size: or(size, '512px'),
    reference_image_url: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 8192,
          description: 'URL of an image to base the new one on, http or https, at most 20 MiB; null for none.',
        }),
      ),
      null,
    ),
    skip_default_style: or(Type.Boolean({ description: 'Whether to send the prompt unchanged, without the house style.' }), false),
  }),
  output: Type.Object({
    b64_json: Type.String({ description: 'The image, Base64-encoded.' }),
    content_type: Type.String({ description: 'MIME type of the image: image/png or image/jpeg.' }),
    prompt: Type.String({ description: 'The prompt, as given.' }),
    aspect_ratio: oneOf(...ASPECT_RATIOS),
    image_size: oneOf(...IMAGE_SIZES),
  }),
  price: flat(3),
  work: 'light',
  timeoutMs: 120_000,
  vendors: imageVendors,
  check: ({ prompt, reference_image_url: url }) => [
    ...promptViolations(prompt),
    ...(url === null ? [] : addressViolations(url, { loc: ['reference_image_url'], file: true })),
  ],
  examples: [
    { title: 'An image from a prompt', params: { prompt: 'A red kettle on a wooden table' } },
    { title: 'A wide image in a larger size', params: { prompt: 'A harbour at dawn', aspect_ratio: '16:9', image_size: '2K' } },
    {
      title: 'An image based on a reference image',
      params: { prompt: 'The same room at night', reference_image_url: 'https://example.com/room.jpg', skip_default_style: true },
    },
  ],
})

function promptViolations(prompt: string): Violation[] {
  return SAYS_SOMETHING.test(prompt) ? [] : [{ loc: ['prompt'], msg: 'must describe the image', type: 'value_error' }]
}

export type ImageInput = Static<typeof imageVendors.input>
export type GeneratedImage = Static<typeof imageVendors.output>
export type AspectRatio = ImageInput['aspect_ratio']
export type ImageSize = ImageInput['image_size']

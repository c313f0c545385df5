import { addressViolations } from '../_shared/address.js'
import { capability, flat, nullable, oneOf, or, port, scratchFile, Type, type Static, type Violation } from '../../core/sdk/index.js'

export const ASPECT_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const
export const IMAGE_SIZES = ['512px', '1K', '2K', '4K'] as const

/** Characters of a caller's prompt; the house style comes on top. */
const MOST_PROMPT = 4_000
/** A prompt of blanks and punctuation says nothing. */
const SAYS_SOMETHING = /[^\s\p{P}\p{C}]/u

const ratio = { ...oneOf(...ASPECT_RATIOS), description: 'Width to height.' }
const size = {
  ...oneOf(...IMAGE_SIZES),
  description: 'Pixels of the longer side: 512, 1024 (1K), 2048 (2K) or 4096 (4K). The shorter side follows from the ratio.',
}

/**
 * What the vendors of images.generate are asked. A vendor that refuses the prompt, or gives a picture of one colour in place of one that it withholds,
 * ends with an `invalid` Fault of status 200, so that the next one is asked.
 */
export const imageVendors = port({
  id: 'images.generate',
  input: Type.Object({
    /** With the house style where that was wanted. */
    prompt: Type.String({ minLength: 1 }),
    aspect_ratio: ratio,
    image_size: size,
    /** A JPEG picture without metadata, at most 1,536 pixels a side and upright; null for none. */
    reference: nullable(scratchFile),
  }),
  output: Type.Object({
    /** Exactly as large as was asked for, encoded by this gateway, without metadata. */
    file: scratchFile,
    content_type: Type.String(),
  }),
})

/** Makes a picture of a description. */
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
  title: 'Generate a picture',
  aliases: ['images'],
  description:
    'Generates a picture from a description, and from a reference picture where one is given. The answer has exactly the ratio and the pixels asked ' +
    'for: what a vendor makes in another size is cropped in the middle and scaled, with a remark in metadata.notes. A house style is added to the ' +
    'prompt unless skip_default_style is set. When a vendor refuses the prompt, or gives a black picture in its place, the next one is asked; when ' +
    'all refuse, the call is an error and costs nothing.',
  input: Type.Object({
    prompt: Type.String({ minLength: 1, maxLength: MOST_PROMPT, description: 'What the picture shows.' }),
    aspect_ratio: or(ratio, '1:1'),
    image_size: or(size, '512px'),
    reference_image_url: or(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 8192,
          description: 'Address of a picture that the new one is based on, http or https, at most 20 MiB; null for none.',
        }),
      ),
      null,
    ),
    skip_default_style: or(Type.Boolean({ description: 'Sends the prompt as it is, without the house style.' }), false),
  }),
  output: Type.Object({
    b64_json: Type.String({ description: 'The picture, base64.' }),
    content_type: Type.String({ description: 'Media type of the picture: image/png or image/jpeg.' }),
    prompt: Type.String({ description: 'As asked for.' }),
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
    { title: 'A picture', params: { prompt: 'A red kettle on a wooden table' } },
    { title: 'A wide one with more pixels', params: { prompt: 'A harbour at dawn', aspect_ratio: '16:9', image_size: '2K' } },
    {
      title: 'Based on another picture',
      params: { prompt: 'The same room at night', reference_image_url: 'https://example.com/room.jpg', skip_default_style: true },
    },
  ],
})

function promptViolations(prompt: string): Violation[] {
  return SAYS_SOMETHING.test(prompt) ? [] : [{ loc: ['prompt'], msg: 'must say what the picture shows', type: 'value_error' }]
}

export type ImageInput = Static<typeof imageVendors.input>
export type GeneratedImage = Static<typeof imageVendors.output>
export type AspectRatio = ImageInput['aspect_ratio']
export type ImageSize = ImageInput['image_size']

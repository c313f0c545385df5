import { body, operation } from '../attempt.js'

const picture = (more: object): unknown => ({ prompt: 'A red kettle', ...more })

/** Pictures that are generated. */
const generateMistakes = operation(
  'POST /v1/images/generate',
  body({}, 'prompt', 'required'),
  body({ text: 'A red kettle' }, 'text', 'prompt', 'required'),
  body({ prompt: '' }, 'prompt', 'empty'),
  body({ prompt: ' ? ' }, 'prompt', 'describe the image'),
  body({ prompt: ['A red kettle'] }, 'prompt', 'a text', 'not a list'),
  body({ prompt: 'kettle '.repeat(1_000) }, 'prompt', '4000'),
  body(picture({ aspect_ratio: '16x9' }), 'aspect_ratio', '"16:9"'),
  body(picture({ aspect_ratio: 1.5 }), 'aspect_ratio', '"3:2"'),
  body(picture({ aspectRatio: '1:1' }), 'aspectRatio', 'did you mean aspect_ratio?'),
  body(picture({ image_size: '1024x1024' }), 'image_size', '"1K"'),
  body(picture({ image_size: '512' }), 'image_size', '"512px"'),
  body(picture({ image_size: '2k' }), 'image_size', 'did you mean "2K"?'),
  body(picture({ size: '1024x1024' }), 'size', 'image_size'),
  body(picture({ n: 4 }), 'n', 'not known'),
  body(picture({ reference_image_url: 'room.jpg' }), 'reference_image_url', 'https://', 'POST /v1/files'),
  body(picture({ reference_image_url: 'data:image/png;base64,iVBORw0K' }), 'reference_image_url', 'https://'),
  body(picture({ skip_default_style: 'true' }), 'skip_default_style', 'without quotes'),
)

const cutout = (more: object): unknown => ({ image_url: 'https://example.com/shoe.jpg', ...more })

/** Pictures that lose their background. */
const backgroundMistakes = operation(
  'POST /v1/images/remove-background',
  body({}, 'image_url', 'required'),
  body({ url: 'https://example.com/shoe.jpg' }, 'url', 'image_url'),
  body({ image_url: 'shoe.jpg' }, 'image_url', 'https://', 'POST /v1/files'),
  body({ image_url: 'data:image/png;base64,iVBORw0K' }, 'image_url', 'https://'),
  body(cutout({ size: '4k' }), 'size', '"preview"', '"full"'),
  body(cutout({ format: 'jpg' }), 'format', '"png"', '"webp"'),
  body(cutout({ bg_color: 'white' }), 'bg_color', 'not known'),
  body(cutout({ crop: true }), 'crop', 'not known'),
)

export const imageMistakes = [...generateMistakes, ...backgroundMistakes]

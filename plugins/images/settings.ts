import { nullable, oneOf, or, Type } from '../../core/sdk/index.js'

const PATH = '^[\\w.-]+(?:/[\\w.-]+)+$'
const side = (description: string) => Type.Integer({ minimum: 256, maximum: 4096, multipleOf: 8, description })
const model = (pattern: string, description: string) => Type.String({ pattern, maxLength: 300, description })

export const settings = Type.Object({
  style: or(
    Type.String({
      maxLength: 500,
      description: 'House style that is added to each prompt unless the caller sets skip_default_style; empty for none.',
    }),
    'High quality, clear composition, natural light, balanced colours.',
  ),
  gemini_model: or(model('^[A-Za-z0-9._-]+$', 'Model of gemini.'), 'gemini-3.1-flash-image-preview'),
  openai_compatible_model: or(Type.String({ minLength: 1, maxLength: 200, description: 'Model of openai-compatible.' }), 'gpt-image-1.5'),
  openai_compatible_side: or(
    side('Longest side in pixels that a model of openai-compatible other than those of OpenAI is asked for.'),
    1024,
  ),
  openai_compatible_edits: or(
    Type.Unsafe<'auto' | 'on' | 'off'>({
      ...oneOf('auto', 'on', 'off'),
      description:
        'Whether openai-compatible takes a reference picture at /images/edits; auto: models named gpt-image at the address of OpenAI.',
    }),
    'auto',
  ),
  stability_service: or(
    Type.Unsafe<'core' | 'ultra' | 'sd3'>({
      ...oneOf('core', 'ultra', 'sd3'),
      description: 'Service of stability; a picture with a reference picture is always made by ultra.',
    }),
    'core',
  ),
  stability_strength: or(
    Type.Number({ minimum: 0, maximum: 1, description: 'How far a picture of stability may leave its reference picture.' }),
    0.7,
  ),
  fal_model: or(model(PATH, 'Model of fal.'), 'fal-ai/flux/schnell'),
  fal_reference_model: or(
    nullable(model(PATH, 'Model of fal that takes another picture, its image_url, beside the prompt; null for none.')),
    null,
  ),
  replicate_model: or(
    model(
      '^[\\w.-]+/[\\w.-]+(?::[0-9a-f]{64})?$',
      'Model of replicate that takes prompt, aspect_ratio, num_outputs and output_format: owner/name, or owner/name:version.',
    ),
    'black-forest-labs/flux-schnell',
  ),
  replicate_reference_field: or(
    nullable(
      Type.String({
        pattern: '^[a-z]\\w{0,49}$',
        description: 'Input of that model that takes a reference picture, such as input_image; null for a model that takes none.',
      }),
    ),
    null,
  ),
  automatic1111_side: or(
    side('Longest side in pixels that automatic1111 is asked for; its models are made for about 512 (SD 1.5) or 1024 (SDXL).'),
    1024,
  ),
  automatic1111_steps: or(Type.Integer({ minimum: 1, maximum: 150, description: 'Sampling steps of automatic1111.' }), 25),
  automatic1111_checkpoint: or(
    nullable(Type.String({ minLength: 1, maxLength: 300, description: 'Checkpoint of automatic1111; null for the one that is loaded.' })),
    null,
  ),
  automatic1111_negative_prompt: or(Type.String({ maxLength: 1_000, description: 'What pictures of automatic1111 must not show.' }), ''),
  pollinations_model: or(model('^[\\w.-]+$', 'Model of pollinations.'), 'flux'),
})

import { nullable, or, Type } from '../../core/sdk/index.js'

const FAL = '^[\\w.-]+(?:/[\\w.-]+)+$'
const field = (description: string) => Type.String({ pattern: '^[a-z]\\w{0,49}$', description })

/** Operator settings of the vendors of sounds. */
export const settings = Type.Object({
  elevenlabs_lossless: or(
    Type.Boolean({
      description: 'Whether the plan of ElevenLabs gives WAV of 44,100 Hz (Pro); without it WAV and PCM are decoded from its MP3.',
    }),
    false,
  ),
  elevenlabs_music_model: or(
    nullable(
      Type.String({
        pattern: '^[\\w.-]{1,100}$',
        description:
          'Model of ElevenLabs for prompts that ask for music of 3 s or more, such as music_v1 (not on its free plan); null makes them with its sound effects.',
      }),
    ),
    null,
  ),
  fal_model: or(
    Type.String({
      pattern: FAL,
      maxLength: 300,
      description:
        'Model of fal for sounds: fal-ai/elevenlabs/sound-effects/v2, or one that takes prompt and seconds_total, such as fal-ai/stable-audio.',
    }),
    'fal-ai/elevenlabs/sound-effects/v2',
  ),
  fal_music_model: or(
    nullable(
      Type.String({ pattern: FAL, maxLength: 300, description: 'Model of fal for prompts that ask for music; null for fal_model.' }),
    ),
    'fal-ai/stable-audio-25/text-to-audio',
  ),
  replicate_model: or(
    nullable(
      Type.String({
        pattern: '^[\\w.-]+/[\\w.-]+(?::[0-9a-f]{64})?$',
        maxLength: 300,
        description:
          'Model of replicate that makes a sound of a text: owner/name, or owner/name:version; null for none, which leaves replicate out.',
      }),
    ),
    null,
  ),
  replicate_prompt_field: or(field('Input of that model that takes the description.'), 'prompt'),
  replicate_seconds_field: or(
    nullable(field('Input of that model that takes the length in whole seconds, such as duration or seconds_total; null for none.')),
    'duration',
  ),
})

import { capability, flat, nullable, oneOf, or, port, scratchFile, Type, type Static, type Violation } from '../../core/sdk/index.js'
import { FORMAT_NAMES } from './formats.js'

/** Length of a sound in seconds. */
export const SECONDS = { least: 0.5, most: 22, default: 5 } as const
const LONGEST_PROMPT = 1_000

/**
 * Input and output of the vendors of sounds.generate. A local vendor returns null for a sound that it cannot generate.
 */
export const soundVendors = port({
  id: 'sounds.generate',
  input: Type.Object({
    prompt: Type.String({ minLength: 1 }),
    seconds: Type.Number({ minimum: SECONDS.least, maximum: SECONDS.most }),
    /** From 0 (creative) to 1 (literal). */
    prompt_influence: Type.Number({ minimum: 0, maximum: 1 }),
    output_format: oneOf(...FORMAT_NAMES),
    /** Whether the end must join the start seamlessly. */
    loop: Type.Boolean(),
  }),
  output: Type.Object({
    /** In the requested format. */
    file: scratchFile,
    /** As measured; null if the vendor does not report it, which means the requested length. */
    seconds: nullable(Type.Number({ exclusiveMinimum: 0 })),
  }),
})

const seconds = (description: string) => or(nullable(Type.Number({ minimum: SECONDS.least, maximum: SECONDS.most, description })), null)

/** Generates a sound. */
export const soundsGenerate = capability({
  id: 'sounds.generate',
  path: '/v1/sounds/generate',
  title: 'Generate a sound',
  description:
    'Generates a sound effect, ambient audio, foley or short instrumental music of 0.5 to 22 seconds from a text ' +
    'prompt. It never generates spoken words; use POST /v1/speech/synthesize for speech. Several sounds in one ' +
    'prompt are mixed; "then" puts one after another; words such as soft, distant, heavy, fast and echoing modify ' +
    'them; the word loop makes the end join the start seamlessly. The audio is Base64-encoded. MP3, Ogg and WAV are ' +
    'stereo at 44,100 Hz or more and mono at 22,050 Hz; PCM is signed 16-bit little-endian mono. A prompt that ' +
    'matches no sound is not charged.',
  input: Type.Object({
    prompt: Type.String({
      minLength: 1,
      maxLength: LONGEST_PROMPT,
      description: 'Description of the sound in English, such as rain on leaves with distant thunder.',
    }),
    duration_seconds: seconds('Length in seconds, 0.5 to 22; default 5.'),
    duration: seconds('Alias of duration_seconds. If both are given, they must be equal.'),
    prompt_influence: or(
      Type.Number({ minimum: 0, maximum: 1, description: 'How closely the sound follows the prompt, from 0 (creative) to 1 (literal).' }),
      0.3,
    ),
    output_format: or(
      Type.Unsafe<(typeof FORMAT_NAMES)[number]>({
        ...oneOf(...FORMAT_NAMES),
        description: 'File format, sample rate in Hz, and bit rate of MP3 in kbit/s.',
      }),
      'mp3_44100_128',
    ),
  }),
  output: Type.Object({
    audio_base64: Type.String({ description: 'The audio, Base64-encoded.' }),
    format: { ...oneOf('mp3', 'pcm', 'wav', 'ogg'), description: 'File format.' },
    sample_rate: Type.Integer({ description: 'Sample rate in Hz.' }),
    duration_seconds: Type.Number({ description: 'Length in seconds.' }),
    prompt: Type.String({ description: 'The prompt, as given.' }),
  }),
  price: flat(4),
  work: 'media',
  timeoutMs: 120_000,
  vendors: soundVendors,
  check: ({ prompt, duration, duration_seconds }) => [...blank(prompt), ...contradiction(duration, duration_seconds)],
  phrases: [
    { say: '* sound noise effect ambience foley music jingle melody instrumental loop audio hear' },
    { say: 'sound|noise|ambience of {prompt}' },
    { say: 'make|generate|create|need|want|play sound|noise|ambience of|like {prompt}' },
    { say: 'sound|noise effect {prompt}' },
    { say: 'sound|noise effect of {prompt}' },
    { say: 'generate|make|create|need sound|noise effect' },
    { say: 'compose {prompt}' },
    { say: 'need|want|make|generate|create|compose {prompt:music|jingle|melody|instrumental|tune|beat|drone|ambience|loop|drums}' },
    { say: 'foley of {prompt}' },
  ],
  examples: [
    { title: 'Ambient sound', params: { prompt: 'soft rain with distant thunder', duration_seconds: 10 } },
    { title: 'A sound effect as WAV', params: { prompt: 'three short beeps', duration_seconds: 2, output_format: 'wav_44100' } },
    {
      title: 'A seamless loop that follows the prompt closely',
      params: { prompt: 'ocean waves, loop', duration_seconds: 20, prompt_influence: 0.9 },
    },
  ],
})

export type SoundInput = Static<typeof soundVendors.input>
export type SoundOutput = Static<typeof soundVendors.output>

/** The requested length in seconds. */
export function lengthOf({
  duration,
  duration_seconds,
}: {
  readonly duration: number | null
  readonly duration_seconds: number | null
}): number {
  return duration_seconds ?? duration ?? SECONDS.default
}

function blank(prompt: string): Violation[] {
  return /[\p{L}\p{N}]/u.test(prompt) ? [] : [{ loc: ['prompt'], msg: 'must contain a letter or a digit' }]
}

function contradiction(duration: number | null, durationSeconds: number | null): Violation[] {
  if (duration === null || durationSeconds === null || duration === durationSeconds) return []
  return [
    {
      loc: ['duration'],
      msg: `is an alias of duration_seconds, but the values differ (${String(duration)} and ${String(durationSeconds)}); give one`,
    },
  ]
}

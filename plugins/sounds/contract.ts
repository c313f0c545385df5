import { capability, flat, nullable, oneOf, or, port, scratchFile, Type, type Static, type Violation } from '../../core/sdk/index.js'
import { FORMAT_NAMES } from './formats.js'

/** Seconds. */
export const SECONDS = { least: 0.5, most: 22, default: 5 } as const
const LONGEST_PROMPT = 1_000

/** What the vendors of sounds.generate are asked. A local one answers null for what it cannot make. */
export const soundVendors = port({
  id: 'sounds.generate',
  input: Type.Object({
    prompt: Type.String({ minLength: 1 }),
    seconds: Type.Number({ minimum: SECONDS.least, maximum: SECONDS.most }),
    /** 0 free to 1 to the letter. */
    prompt_influence: Type.Number({ minimum: 0, maximum: 1 }),
    output_format: oneOf(...FORMAT_NAMES),
    /** Whether the end must run into the beginning. */
    loop: Type.Boolean(),
  }),
  output: Type.Object({
    /** In the form that was asked for. */
    file: scratchFile,
    /** As measured; null where the vendor does not say, which is then as long as was asked for. */
    seconds: nullable(Type.Number({ exclusiveMinimum: 0 })),
  }),
})

const seconds = (description: string) => or(nullable(Type.Number({ minimum: SECONDS.least, maximum: SECONDS.most, description })), null)

/** Makes a sound. */
export const soundsGenerate = capability({
  id: 'sounds.generate',
  path: '/v1/sounds/generate',
  title: 'Make a sound',
  description:
    'Makes a sound effect, ambience, foley or short instrumental music from a description, 0.5 to 22 seconds; never spoken words: POST /v1/speech/synthesize speaks. ' +
    'Several things in one prompt are mixed, "then" puts one after the other; soft, distant, heavy, fast, echoing and such words change them. With the word loop in the prompt the end runs into the beginning. ' +
    'The sound is base64: MP3, Ogg and WAV in stereo where the rate is 44,100 or more, mono at 22,050; PCM is signed 16 bit little-endian, mono. A prompt for which nothing fits costs nothing.',
  input: Type.Object({
    prompt: Type.String({
      minLength: 1,
      maxLength: LONGEST_PROMPT,
      description: 'What is to be heard, in English: rain on leaves with distant thunder.',
    }),
    duration_seconds: seconds('Length in seconds, 0.5 to 22; 5 when not given.'),
    duration: seconds('Another name of duration_seconds. Give one of them, or both alike.'),
    prompt_influence: or(
      Type.Number({ minimum: 0, maximum: 1, description: '0 leaves freedom, 1 keeps to the prompt word by word.' }),
      0.3,
    ),
    output_format: or(
      Type.Unsafe<(typeof FORMAT_NAMES)[number]>({
        ...oneOf(...FORMAT_NAMES),
        description: 'Kind of file, samples a second, and kbit/s of MP3.',
      }),
      'mp3_44100_128',
    ),
  }),
  output: Type.Object({
    audio_base64: Type.String({ description: 'The sound, base64.' }),
    format: { ...oneOf('mp3', 'pcm', 'wav', 'ogg'), description: 'Kind of file.' },
    sample_rate: Type.Integer({ description: 'Samples a second.' }),
    duration_seconds: Type.Number({ description: 'Length in seconds.' }),
    prompt: Type.String({ description: 'As it was given.' }),
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
    { title: 'An ambience', params: { prompt: 'soft rain with distant thunder', duration_seconds: 10 } },
    { title: 'An effect as WAV', params: { prompt: 'three short beeps', duration_seconds: 2, output_format: 'wav_44100' } },
    { title: 'A seamless loop, to the letter', params: { prompt: 'ocean waves, loop', duration_seconds: 20, prompt_influence: 0.9 } },
  ],
})

export type SoundInput = Static<typeof soundVendors.input>
export type SoundOutput = Static<typeof soundVendors.output>

/** The length that was asked for. */
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
  return /[\p{L}\p{N}]/u.test(prompt) ? [] : [{ loc: ['prompt'], msg: 'describes nothing: there is no letter and no digit in it' }]
}

function contradiction(duration: number | null, durationSeconds: number | null): Violation[] {
  if (duration === null || durationSeconds === null || duration === durationSeconds) return []
  return [
    {
      loc: ['duration'],
      msg: `is another name of duration_seconds, and they differ: ${String(duration)} and ${String(durationSeconds)}; give one`,
    },
  ]
}

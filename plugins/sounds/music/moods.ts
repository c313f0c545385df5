import type { Mode } from './harmony.js'

/** Effects of a mood word on a piece. */
export interface Mood {
  readonly names: readonly string[]
  readonly mode?: Mode
  /** Factor on the tempo. */
  readonly tempo?: number
  /** Added to the velocity, 0 is neutral, -1 to 1. */
  readonly force?: number
  /** Without drums and bass. */
  readonly bare?: true
}

/** Mood words; all that occur in a prompt apply. */
export const MOODS: readonly Mood[] = [
  {
    names: ['happy', 'cheerful', 'joyful', 'joyous', 'playful', 'fun', 'sunny', 'bright', 'merry', 'cute', 'whimsical', 'quirky'],
    mode: 'major',
    tempo: 1.08,
    force: 0.2,
  },
  {
    names: ['upbeat', 'uplifting', 'energetic', 'lively', 'driving', 'exciting', 'dynamic', 'bouncy', 'powerful', 'motivational'],
    tempo: 1.1,
    force: 0.4,
  },
  {
    names: ['inspiring', 'inspirational', 'hopeful', 'optimistic', 'triumphant', 'victorious', 'proud', 'heroic'],
    mode: 'major',
    force: 0.3,
  },
  {
    names: ['sad', 'melancholic', 'melancholy', 'sorrowful', 'somber', 'sombre', 'mournful', 'lonely', 'tragic', 'wistful'],
    mode: 'minor',
    tempo: 0.8,
    force: -0.3,
  },
  { names: ['dark', 'ominous', 'menacing', 'evil', 'brooding', 'gloomy'], mode: 'minor', tempo: 0.92 },
  { names: ['tense', 'suspenseful', 'mysterious', 'mystery', 'dramatic', 'intense', 'urgent'], mode: 'minor', force: 0.2 },
  {
    names: [
      'calm',
      'calming',
      'peaceful',
      'relaxing',
      'relaxed',
      'soothing',
      'gentle',
      'tranquil',
      'serene',
      'quiet',
      'soft',
      'sleepy',
      'chill',
    ],
    tempo: 0.86,
    force: -0.4,
    bare: true,
  },
  { names: ['dreamy', 'romantic', 'tender', 'nostalgic', 'emotional', 'sentimental', 'warm'], tempo: 0.88, force: -0.2 },
  { names: ['aggressive', 'angry', 'furious', 'fierce', 'frantic', 'wild', 'chaotic'], mode: 'minor', tempo: 1.12, force: 0.7 },
  { names: ['majestic', 'grand', 'solemn', 'stately'], tempo: 0.92, force: 0.2 },
]

/** Names of tempos, beats per minute. */
export const TEMPI: Readonly<Record<string, number>> = {
  largo: 48,
  adagio: 66,
  andante: 84,
  moderato: 104,
  allegretto: 112,
  allegro: 132,
  vivace: 160,
  presto: 180,
}

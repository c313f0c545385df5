import { espeakVoice } from './espeak-ng.js'

/** The model and voice named by a caller, if any. */
export interface Wanted {
  readonly voice_model: string | null
  readonly voice_id: string | null
}

/** The name format of a vendor's models and voices. */
interface Form {
  readonly isModel: (name: string) => boolean
  readonly isVoice: (name: string) => boolean
  /** Description for a sentence. */
  readonly takes: string
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const AURA = /^aura-[a-z0-9-]{1,60}$/
const PIPER = /^[a-z]{2,3}_[A-Z]{2}-[A-Za-z0-9_]{1,60}-(?:x_low|low|medium|high)$/

/** Voices of OpenAI; an account's own starts with `voice_`. */
export const OPENAI_VOICES = [
  ...['alloy', 'ash', 'ballad', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer', 'verse', 'marin', 'cedar'],
] as const

/** Voices of Deepgram by language; others are accepted from a caller or a setting. */
export const DEEPGRAM_VOICES: Readonly<Record<string, string>> = {
  en: 'aura-2-thalia-en',
  es: 'aura-2-celeste-es',
  de: 'aura-2-viktoria-de',
}

/** Languages supported by Cartesia, ISO 639-1. */
export const CARTESIA_LANGUAGES: readonly string[] = [
  ...['en', 'fr', 'de', 'es', 'pt', 'zh', 'ja', 'hi', 'it', 'ko', 'nl', 'pl', 'ru', 'sv', 'tr'],
]

const isAura = (name: string): boolean => AURA.test(name)
/** Whether a name has the format of a Piper voice: language, country, speaker, quality. */
export const isPiper = (name: string): boolean => PIPER.test(name)
const isEspeak = (name: string): boolean => espeakVoice(name) !== null

/** By vendor, in the order of the waterfall. Only names of Piper voices have two formats. */
const FORMS: Readonly<Record<string, Form>> = {
  elevenlabs: {
    isModel: (name) => /^eleven_[a-z0-9_]{1,60}$/.test(name),
    isVoice: (name) => /^[A-Za-z0-9]{20}$/.test(name),
    takes: 'models such as eleven_multilingual_v2 and ids of voices, 20 letters and digits',
  },
  'openai-compatible': {
    isModel: (name) => /^(?:tts-1|gpt-[a-z0-9.-]{1,40}-tts)(?:-[a-z0-9-]{1,40})?$/.test(name),
    isVoice: (name) => OPENAI_VOICES.some((voice) => voice === name) || /^voice_[A-Za-z0-9]{1,80}$/.test(name),
    takes: `models such as tts-1 and the voices ${OPENAI_VOICES.join(', ')}`,
  },
  deepgram: { isModel: isAura, isVoice: isAura, takes: 'voices such as aura-2-thalia-en' },
  cartesia: {
    isModel: (name) => /^sonic(?:-[a-z0-9.-]{1,60})?$/.test(name),
    isVoice: (name) => UUID.test(name),
    takes: 'models such as sonic-3 and ids of voices that are UUIDs',
  },
  voice: { isModel: isPiper, isVoice: isPiper, takes: 'the voices of its packs, such as en_US-joe-medium' },
  piper: { isModel: isPiper, isVoice: isPiper, takes: 'the voices of plugins.speech.piper_voices' },
  'espeak-ng': {
    isModel: isEspeak,
    isVoice: isEspeak,
    takes: 'codes of languages such as en-us, de or fr-fr, with a variant such as de+f3',
  },
}

/** Whether all names given by the caller have the format of a vendor. */
export function fits(vendor: string, { voice_model, voice_id }: Wanted): boolean {
  const form = FORMS[vendor]
  if (form === undefined) return voice_model === null && voice_id === null
  return (voice_model === null || form.isModel(voice_model)) && (voice_id === null || form.isVoice(voice_id))
}

/** Vendors whose format a name has, in order. */
export function vendorsOf(name: string): string[] {
  return Object.entries(FORMS).flatMap(([vendor, form]) => (form.isModel(name) || form.isVoice(name) ? [vendor] : []))
}

/** The formats of a vendor, as a part of a sentence; null for a vendor of another plugin. */
export function takenBy(vendor: string): string | null {
  return FORMS[vendor]?.takes ?? null
}

/** Whether a model or voice was named. */
export function isNamed({ voice_model, voice_id }: Wanted): boolean {
  return voice_model !== null || voice_id !== null
}

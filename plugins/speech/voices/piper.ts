import type { Wanted } from './forms.js'

/** A local Piper voice. */
export interface PiperVoice {
  /** Its file name without folder and extension, such as `en_US-lessac-medium`. */
  readonly name: string
  /** ISO 639-1, the start of its name. */
  readonly language: string
  readonly path: string
}

/** A voice by the path of its file. */
export function piperVoice(path: string): PiperVoice {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.onnx$/, '')
  const [language = ''] = name.split(/[_-]/, 1)
  return { name, language: language.toLowerCase(), path }
}

/** Its readable name: `de_DE-eva_k-x_low` is `Eva k, German (Germany)`. */
export function piperTitle({ name }: PiperVoice): string {
  const [locale = '', speaker = ''] = name.split('-')
  const spoken = speaker.replaceAll('_', ' ')
  const language = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' }).of(locale.replace('_', '-'))
  return `${spoken.slice(0, 1).toUpperCase()}${spoken.slice(1)}, ${language ?? locale}`
}

/** The named voice, else the first of the language; null without one. */
export function chosenVoice<V extends PiperVoice>(
  voices: readonly V[],
  { voice_model, voice_id, language }: Wanted & { readonly language: string },
): V | null {
  const names = [voice_model, voice_id].flatMap((name) => name ?? [])
  const [found] = voices.filter((voice) => (names.length === 0 ? voice.language === language : names.every((name) => name === voice.name)))
  return found ?? null
}

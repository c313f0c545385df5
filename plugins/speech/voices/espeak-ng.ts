/** Voices of eSpeak NG 1.51, as listed by `espeak-ng --voices`: code and language. Those that require the program mbrola are left out. */
export const ESPEAK_VOICES: readonly (readonly [string, string])[] = [
  ['af', 'Afrikaans'],
  ['am', 'Amharic'],
  ['an', 'Aragonese'],
  ['ar', 'Arabic'],
  ['as', 'Assamese'],
  ['az', 'Azerbaijani'],
  ['ba', 'Bashkir'],
  ['be', 'Belarusian'],
  ['bg', 'Bulgarian'],
  ['bn', 'Bengali'],
  ['bpy', 'Bishnupriya Manipuri'],
  ['bs', 'Bosnian'],
  ['ca', 'Catalan'],
  ['chr-US-Qaaa-x-west', 'Cherokee'],
  ['cmn', 'Chinese (Mandarin)'],
  ['cmn-latn-pinyin', 'Chinese (Mandarin, pinyin)'],
  ['cs', 'Czech'],
  ['cv', 'Chuvash'],
  ['cy', 'Welsh'],
  ['da', 'Danish'],
  ['de', 'German'],
  ['el', 'Greek'],
  ['en-029', 'English (Caribbean)'],
  ['en-gb', 'English (Great Britain)'],
  ['en-gb-scotland', 'English (Scotland)'],
  ['en-gb-x-gbclan', 'English (Lancaster)'],
  ['en-gb-x-gbcwmd', 'English (West Midlands)'],
  ['en-gb-x-rp', 'English (Received Pronunciation)'],
  ['en-us', 'English (America)'],
  ['en-us-nyc', 'English (America, New York City)'],
  ['eo', 'Esperanto'],
  ['es', 'Spanish (Spain)'],
  ['es-419', 'Spanish (Latin America)'],
  ['et', 'Estonian'],
  ['eu', 'Basque'],
  ['fa', 'Persian'],
  ['fa-latn', 'Persian (Latin letters)'],
  ['fi', 'Finnish'],
  ['fr-be', 'French (Belgium)'],
  ['fr-ch', 'French (Switzerland)'],
  ['fr-fr', 'French (France)'],
  ['ga', 'Gaelic (Irish)'],
  ['gd', 'Gaelic (Scottish)'],
  ['gn', 'Guarani'],
  ['grc', 'Greek (Ancient)'],
  ['gu', 'Gujarati'],
  ['hak', 'Hakka Chinese'],
  ['haw', 'Hawaiian'],
  ['he', 'Hebrew'],
  ['hi', 'Hindi'],
  ['hr', 'Croatian'],
  ['ht', 'Haitian Creole'],
  ['hu', 'Hungarian'],
  ['hy', 'Armenian (East)'],
  ['hyw', 'Armenian (West)'],
  ['ia', 'Interlingua'],
  ['id', 'Indonesian'],
  ['io', 'Ido'],
  ['is', 'Icelandic'],
  ['it', 'Italian'],
  ['ja', 'Japanese'],
  ['jbo', 'Lojban'],
  ['ka', 'Georgian'],
  ['kk', 'Kazakh'],
  ['kl', 'Greenlandic'],
  ['kn', 'Kannada'],
  ['ko', 'Korean'],
  ['kok', 'Konkani'],
  ['ku', 'Kurdish'],
  ['ky', 'Kyrgyz'],
  ['la', 'Latin'],
  ['lb', 'Luxembourgish'],
  ['lfn', 'Lingua Franca Nova'],
  ['lt', 'Lithuanian'],
  ['ltg', 'Latgalian'],
  ['lv', 'Latvian'],
  ['mi', 'Maori'],
  ['mk', 'Macedonian'],
  ['ml', 'Malayalam'],
  ['mr', 'Marathi'],
  ['ms', 'Malay'],
  ['mt', 'Maltese'],
  ['my', 'Myanmar'],
  ['nb', 'Norwegian Bokmål'],
  ['nci', 'Nahuatl (Classical)'],
  ['ne', 'Nepali'],
  ['nl', 'Dutch'],
  ['nog', 'Nogai'],
  ['om', 'Oromo'],
  ['or', 'Oriya'],
  ['pa', 'Punjabi'],
  ['pap', 'Papiamento'],
  ['piqd', 'Klingon'],
  ['pl', 'Polish'],
  ['pt', 'Portuguese (Portugal)'],
  ['pt-br', 'Portuguese (Brazil)'],
  ['py', 'Pyash'],
  ['qdb', 'Lang Belta'],
  ['qu', 'Quechua'],
  ['quc', "K'iche'"],
  ['qya', 'Quenya'],
  ['ro', 'Romanian'],
  ['ru', 'Russian'],
  ['ru-lv', 'Russian (Latvia)'],
  ['sd', 'Sindhi'],
  ['shn', 'Shan (Tai Yai)'],
  ['si', 'Sinhala'],
  ['sjn', 'Sindarin'],
  ['sk', 'Slovak'],
  ['sl', 'Slovenian'],
  ['smj', 'Lule Saami'],
  ['sq', 'Albanian'],
  ['sr', 'Serbian'],
  ['sv', 'Swedish'],
  ['sw', 'Swahili'],
  ['ta', 'Tamil'],
  ['te', 'Telugu'],
  ['th', 'Thai'],
  ['tk', 'Turkmen'],
  ['tn', 'Setswana'],
  ['tr', 'Turkish'],
  ['tt', 'Tatar'],
  ['ug', 'Uyghur'],
  ['uk', 'Ukrainian'],
  ['ur', 'Urdu'],
  ['uz', 'Uzbek'],
  ['vi', 'Vietnamese (Northern)'],
  ['vi-vn-x-central', 'Vietnamese (Central)'],
  ['vi-vn-x-south', 'Vietnamese (Southern)'],
  ['yue', 'Chinese (Cantonese)'],
]

/** Default voices of languages whose code differs from ISO 639-1, or that have several voices. */
const PREFERRED: Readonly<Record<string, string>> = {
  en: 'en-us',
  fr: 'fr-fr',
  no: 'nb',
  zh: 'cmn',
}
const VARIANT = /^[a-z0-9]{1,10}$/i

/** The voice of a language, ISO 639-1; null for an unsupported one. */
export function espeakVoiceOf(language: string): string | null {
  return PREFERRED[language] ?? codeOf(language)
}

/** A voice name of eSpeak, with a variant such as `+f3`, case-insensitive; null for an unknown one. `en` is the American voice. */
export function espeakVoice(name: string): string | null {
  const [base = '', variant, ...more] = name.split('+')
  const code = codeOf(base) ?? PREFERRED[base.toLowerCase()] ?? null
  if (code === null || more.length > 0) return null
  if (variant === undefined) return code
  return VARIANT.test(variant) ? `${code}+${variant}` : null
}

/** The language of a voice, ISO 639-1 if it has such a code. */
export function espeakLanguage(voice: string): string {
  const [base = ''] = voice.split(/[-+]/)
  return base === 'cmn' || base === 'yue' || base === 'hak' ? 'zh' : base === 'nb' ? 'no' : base
}

function codeOf(name: string): string | null {
  const low = name.toLowerCase()
  return ESPEAK_VOICES.find(([code]) => code.toLowerCase() === low)?.[0] ?? null
}

/** A language of speech. */
interface SpokenLanguage {
  /** ISO 639-1, else ISO 639-3; null for detection by the vendor. */
  readonly code: string | null
  /** ISO 3166-1, upper case; null for no region. */
  readonly region: string | null
}

const names = englishNames()

/** Codes that CLDR prefers to the vendors' ones. */
const KNOWN_AS: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl', jw: 'jv', cmn: 'zh' }

/** Whisper's English names of languages (openai/whisper, tokenizer.py) that differ from CLDR, in lower case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'haitian creole': 'ht',
  myanmar: 'my',
  nynorsk: 'nn',
  pushto: 'ps',
  pashto: 'ps',
  moldavian: 'ro',
  moldovan: 'ro',
  castilian: 'es',
  valencian: 'ca',
  flemish: 'nl',
  haitian: 'ht',
  letzeburgesch: 'lb',
  panjabi: 'pa',
  sinhalese: 'si',
  mandarin: 'zh',
  bengali: 'bn',
  tagalog: 'tl',
  maori: 'mi',
  faroese: 'fo',
  norwegian: 'no',
}

/** Codes of Whisper's languages (openai/whisper, tokenizer.py). */
const CODES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et ' +
  'mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su yue'

/** The language named by a caller: `en`, `en_us`, `en-US`, `eng`, or `auto`. Undefined for an unknown one. */
export function spokenLanguage(given: string): SpokenLanguage | undefined {
  if (given.toLowerCase() === 'auto') return { code: null, region: null }
  const locale = localeOf(given)
  if (locale === undefined || nameOf(locale.language) === undefined) return undefined
  return { code: KNOWN_AS[locale.language] ?? locale.language, region: locale.region ?? null }
}

/** Whether Whisper supports a language code. */
export function isWhisperLanguage(code: string): boolean {
  return CODES.split(' ').includes(code)
}

/** The code of a language by a vendor's name: a code of any kind or an English name; null when unknown. */
export function languageCode(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 40) return null
  const name = value.trim().toLowerCase()
  return OTHER_NAMES[name] ?? codeByName(name) ?? (/^[a-z]{2,3}(?:[-_]|$)/.test(name) ? (spokenLanguage(name)?.code ?? null) : null)
}

function codeByName(name: string): string | undefined {
  return CODES.split(' ').find((code) => nameOf(code)?.toLowerCase() === name)
}

function localeOf(given: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(given.replaceAll('_', '-'))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function nameOf(code: string): string | undefined {
  return names().of(code)
}

/** The English names of languages, loaded at the first use: they take memory, and only calls with a language need them. */
function englishNames(): () => Intl.DisplayNames {
  let made: Intl.DisplayNames | null = null
  return () => (made ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }))
}

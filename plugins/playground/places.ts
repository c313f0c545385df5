const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Codes whose English names callers may use; ISO 3166-1. */
const COUNTRY_CODES =
  'ad ae af ag al am ao ar at au az ba bb bd be bf bg bh bi bj bn bo br bs bt bw by bz ca cd cf cg ch ci cl cm cn co cr cu cv cy cz de dj dk dm do dz ec ee eg er es et fi fj fr ga gb ge gh gm gn gr gt gy hk hn hr ht hu id ie il in iq ir is it jm jo jp ke kg kh kr kw kz la lb lk lr ls lt lu lv ly ma mc md me mg mk ml mm mn mr mt mu mv mw mx my mz na ne ng ni nl no np nz om pa pe pg ph pk pl pt py qa ro rs ru rw sa sd se sg si sk sl sn so sr sv sy sz td tg th tj tm tn tr tt tw tz ua ug us uy uz ve vn ye za zm zw' // prettier-ignore
/** ISO 639-1. */
const LANGUAGE_CODES =
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la cy sk fa lv bn sr az sl kn et mk eu is hy mn bs kk sq sw gl mr ka be gu am so af yi lo mt tl' // prettier-ignore

/** Other common names. */
const COUNTRIES: ReadonlyMap<string, string> = new Map([
  ...COUNTRY_CODES.split(' ').map((code) => [(REGIONS.of(code.toUpperCase()) ?? '').toLowerCase(), code] as const),
  ['uk', 'gb'],
  ['great britain', 'gb'],
  ['england', 'gb'],
  ['britain', 'gb'],
  ['usa', 'us'],
  ['us', 'us'],
  ['america', 'us'],
  ['holland', 'nl'],
  ['turkey', 'tr'],
  ['czech republic', 'cz'],
])
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ...LANGUAGE_CODES.split(' ').map((code) => [(LANGUAGES.of(code) ?? '').toLowerCase(), code] as const),
  ['farsi', 'fa'],
  ['mandarin', 'zh'],
  ['tagalog', 'tl'],
])

/** ISO 3166-1 code of a country by its English name, lower case; null for other words. */
export function countryCode(name: string): string | null {
  return COUNTRIES.get(name.trim().toLowerCase()) ?? null
}

/** ISO 639-1 code of a language by its English name; null for other words. */
export function languageCode(name: string): string | null {
  return SPOKEN.get(name.toLowerCase()) ?? null
}

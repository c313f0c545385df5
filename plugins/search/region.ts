/** Main language of a country, for engines that filter by language; an unlisted country is left to the engine. */
const LANGUAGES = new Map(
  [
    ['en', 'us gb ie au nz za in sg ph ng ke gh'],
    ['de', 'de at ch li'],
    ['fr', 'fr lu mc sn ci'],
    ['es', 'es mx ar co cl pe uy ve ec gt cr do bo py pa hn ni sv'],
    ['pt', 'pt br ao mz'],
    ['it', 'it sm'],
    ['nl', 'nl be'],
    ['ar', 'sa ae eg ma dz tn jo lb kw qa om bh iq'],
    ['zh', 'cn tw hk'],
    ['ja', 'jp'],
    ['ko', 'kr'],
    ['ru', 'ru by kz'],
    ['uk', 'ua'],
    ['pl', 'pl'],
    ['cs', 'cz'],
    ['sk', 'sk'],
    ['hu', 'hu'],
    ['ro', 'ro md'],
    ['bg', 'bg'],
    ['el', 'gr cy'],
    ['tr', 'tr'],
    ['sv', 'se'],
    ['no', 'no'],
    ['da', 'dk'],
    ['fi', 'fi'],
    ['is', 'is'],
    ['et', 'ee'],
    ['lv', 'lv'],
    ['lt', 'lt'],
    ['hr', 'hr'],
    ['sl', 'si'],
    ['sr', 'rs'],
    ['he', 'il'],
    ['fa', 'ir'],
    ['th', 'th'],
    ['vi', 'vn'],
    ['id', 'id'],
    ['ms', 'my'],
  ].flatMap(([language = '', countries = '']) => countries.split(' ').map((country) => [country, language] as const)),
)

/** The country in lower case, with `uk` replaced by its ISO code. */
export function isoCountry(country: string): string {
  const code = country.toLowerCase()
  return code === 'uk' ? 'gb' : code
}

/** The language code (ISO 639-1) of a country, or undefined when it is not listed: Canada is English. */
export function languageOf(country: string): string | undefined {
  const code = isoCountry(country)
  return code === 'ca' ? 'en' : LANGUAGES.get(code)
}

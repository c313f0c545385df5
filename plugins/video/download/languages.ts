/** ISO 639-1 to the codes of ISO 639-2/T, which MP4 uses (ISO/IEC 14496-12, `mdhd`), for the most common subtitle languages. */
const CODES =
  'ar ara bg bul bn ben ca cat cs ces da dan de deu el ell en eng es spa et est eu eus fa fas fi fin fil fil fr fra gl glg gu guj he heb hi hin hr hrv hu hun ' +
  'hy hye id ind is isl it ita ja jpn ka kat kk kaz kn kan ko kor lt lit lv lav mk mkd ml mal mr mar ms msa nb nob nl nld no nor pa pan pl pol pt por ro ron ' +
  'ru rus sk slk sl slv sq sqi sr srp sv swe sw swa ta tam te tel th tha tr tur uk ukr ur urd uz uzb vi vie zh zho'

const BY_TWO = new Map([...CODES.matchAll(/(\w{2,3}) (\w{3})/g)].map(([, two = '', three = '']) => [two, three]))

/** MP4's code for a language tag such as `en` or `pt-BR`; `und` for one without a code. */
export function mp4Language(tag: string): string {
  const [first = ''] = tag.toLowerCase().split('-', 1)
  return BY_TWO.get(first) ?? (/^[a-z]{3}$/.test(first) ? first : 'und')
}

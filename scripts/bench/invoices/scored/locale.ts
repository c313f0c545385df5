/** How papers of a country write numbers and dates. */
export interface Locale {
  readonly language: string
  readonly currency: string
  /** How the currency is printed beside an amount, and where. */
  readonly sign: string
  readonly signFirst: boolean
  readonly decimals: number
  readonly decimal: string
  readonly group: string
  readonly date: DateForm
  readonly rates: readonly number[]
}

type DateForm = 'd.m.y' | 'd/m/y' | 'm/d/y' | 'd-m-y' | 'y-m-d' | 'words' | 'words-us' | 'short-year'

const MONTHS: Readonly<Record<string, string>> = {
  en: 'January February March April May June July August September October November December',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  nl: 'januari februari maart april mei juni juli augustus september oktober november december',
  pt: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  pl: 'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
}

/** `minor` counts the smallest units of the currency. */
export function amount(minor: number, locale: Locale, withSign = false): string {
  const digits = plain(Math.abs(minor) / 10 ** locale.decimals, locale.decimals, locale)
  const signed = minor < 0 ? `-${digits}` : digits
  if (!withSign) return signed
  return locale.signFirst ? `${minor < 0 ? '-' : ''}${locale.sign}${digits}` : `${signed} ${locale.sign}`
}

export function plain(value: number, decimals: number, locale: Locale): string {
  const [whole = '', fraction] = value.toFixed(decimals).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, locale.group)
  return fraction === undefined ? grouped : `${grouped}${locale.decimal}${fraction}`
}

export function percent(rate: number, locale: Locale): string {
  return `${String(rate).replace('.', locale.decimal)}${['de', 'fr', 'es', 'pl'].includes(locale.language) ? ' %' : '%'}`
}

/** `iso` as the locale prints it. */
export function printedDate(iso: string, locale: Locale): string {
  const [year = '', month = '', day = ''] = iso.split('-')
  const name = MONTHS[locale.language]?.split(' ')[Number(month) - 1] ?? ''
  const bare = String(Number(day))
  switch (locale.date) {
    case 'd.m.y':
      return `${day}.${month}.${year}`
    case 'd/m/y':
      return `${day}/${month}/${year}`
    case 'm/d/y':
      return `${month}/${day}/${year}`
    case 'd-m-y':
      return `${day}-${month}-${year}`
    case 'y-m-d':
      return iso
    case 'short-year':
      return `${day}.${month}.${year.slice(2)}`
    case 'words-us':
      return `${name.slice(0, 3)} ${bare}, ${year}`
    case 'words':
      if (locale.language === 'de') return `${bare}. ${name} ${year}`
      if (['es', 'pt'].includes(locale.language)) return `${bare} de ${name} de ${year}`
      return `${bare} ${name} ${year}`
  }
}

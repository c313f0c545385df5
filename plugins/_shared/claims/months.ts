/** Languages whose month names are supported (ISO 639-1). Languages in which a name means a different month than elsewhere are left out. */
const LANGUAGES = 'en de fr es it pt nl sv da nb fi pl cs sk hu ro tr el ru uk'.split(' ')
/** Languages whose short names are supported too; in the others they are too often ordinary words. */
const SHORT = new Set('en de fr es it pt nl sv da nb ru'.split(' '))
/** Short names that are also ordinary words. */
const WORDS = new Set('out ago set mag gen mart'.split(' '))

/** The number of each month, 1 to 12, by its folded names: long, short, and the form used in dates. Names from Unicode CLDR. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...LANGUAGES.flatMap((language) =>
    [
      new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }),
      new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' }),
      ...(SHORT.has(language) ? [new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })] : []),
    ].flatMap((format) =>
      Array.from({ length: 12 }, (_, at): [string, number] => {
        const part = format.formatToParts(Date.UTC(2001, at, 15)).find(({ type }) => type === 'month')
        return [folded(part?.value ?? '').replace(/\P{L}/gu, ''), at + 1]
      }),
    ),
  ).filter(([name]) => name.length >= 3 && !WORDS.has(name)),
  ['sept', 9],
  ['maerz', 3],
])

/** The month that a folded word names, 1 to 12, or undefined. */
export function monthOf(word: string): number | undefined {
  return NUMBERS.get(word)
}

/** A text without diacritics, in compatibility form (NFKD), case kept: the input for claims. */
export function unmarked(text: string): string {
  return /^[\0-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '')
}

/** A word for comparison: without diacritics and case. */
export function folded(word: string): string {
  return unmarked(word).toLowerCase()
}

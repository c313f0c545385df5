/** Postal codes beside a place: four or five digits, those of the United States with a state, of Britain and of Canada. */
const POSTCODES: readonly RegExp[] = [
  /\b[A-Z]{2}[ ,]{1,2}\d{5}(?:-\d{4})?\b/,
  /(?:^|[\s,(-])\d{4,5}\s{1,2}\p{Lu}\p{L}{2,40}/u,
  /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/,
  /\b[A-Z]\d[A-Z] \d[A-Z]\d\b/,
  /\b\d{4} [A-Z]{2}[ ,]{1,2}\p{Lu}\p{L}{2,40}/u,
]
const LONGEST = 200
/** Excludes lines without an address: telephone numbers, email addresses, copyright notices. */
const OTHER = /@|^(?:tel|phone|fax|e-?mail|t|f|m)\b[.:]?|^\+?[\d\s()/.-]+$|https?:/i
const RIGHTS = /©|\(c\)|copyright|all rights|alle rechte|tous droits/i

/**
 * A postal address in lines of text, on one line; null when there is none. `marked` is the text of an `<address>`
 * element, which needs no postal code to count as one, only a number and more than one part.
 */
export function addressIn(text: string, marked: boolean): string | null {
  const all = text.split('\n', 200).map((line) => line.slice(0, LONGEST * 2))
  const isAddress = (line: string): boolean => POSTCODES.some((code) => code.test(line)) && !OTHER.test(line) && !RIGHTS.test(line)
  if (marked) {
    const own = all.filter((line) => !OTHER.test(line) && !RIGHTS.test(line))
    const joined = own.join(', ').replace(/,\s*,/g, ',')
    return joined.length <= LONGEST && /\d/.test(joined) && /\p{L}{2}.*[,\n].*\p{L}{2}/u.test(joined) ? joined : null
  }
  const place = all.findIndex(isAddress)
  const line = all[place]
  if (line === undefined || line.length > LONGEST) return null
  const before = all[place - 1]
  // When a line starts with the postal code, the street is on the line before.
  const street =
    /^\d|^[A-Z]{1,2}\d/.test(line) && before !== undefined && /\d/.test(before) && !OTHER.test(before) && !RIGHTS.test(before)
      ? before
      : null
  const whole = street === null ? line : `${street}, ${line}`
  return whole.length <= LONGEST ? whole : null
}

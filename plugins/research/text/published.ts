/** `/2026/11/27/` and `/2026-11-27` in addresses. */
const IN_PATH = /[/_-](20\d\d)[/-](0[1-9]|1[0-2])(?:[/-](0[1-9]|[12]\d|3[01]))?(?![0-9])/
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
/** `Nov 27, 2026` and `27 November 2026`, as search engines write them before a snippet and pages below a title. */
const MONTH_FIRST = /\b([A-Z][a-z]{2,8})\.? (\d{1,2}), (20\d\d)\b/
const DAY_FIRST = /\b(\d{1,2}) ([A-Z][a-z]{2,8})\.? (20\d\d)\b/
const ISO = /\b(20\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\b/
const AGO = /\b(\d{1,2}) (hour|day|week|month)s? ago\b/
const HOURS: Readonly<Record<string, number>> = { hour: 1, day: 24, week: 168, month: 730 }
/** Characters of a text searched for its date of publication. */
const HEAD = 400

/** When a source was published, in milliseconds since 1970, by its address, its snippet or the start of its text; null when unknown. */
export function publishedAt(url: string, now: number, ...texts: readonly (string | null)[]): number | null {
  const path = IN_PATH.exec(url.slice(0, 2_000))
  if (path !== null) return past(Date.UTC(Number(path[1]), Number(path[2]) - 1, Number(path[3] ?? 1)), now)
  for (const text of texts) {
    const found = dateIn((text ?? '').slice(0, HEAD), now)
    if (found !== null) return past(found, now)
  }
  return null
}

function dateIn(text: string, now: number): number | null {
  const ago = AGO.exec(text)
  if (ago !== null) return now - Number(ago[1]) * (HOURS[ago[2] ?? ''] ?? 0) * 3_600_000
  const iso = ISO.exec(text)
  if (iso !== null) return Date.UTC(Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]))
  const first = MONTH_FIRST.exec(text)
  if (first !== null) return named(first[1], first[2], first[3])
  const second = DAY_FIRST.exec(text)
  return second === null ? null : named(second[2], second[1], second[3])
}

function named(month = '', day = '', year = ''): number | null {
  const at = MONTHS.indexOf(month.slice(0, 3).toLowerCase())
  return at === -1 ? null : Date.UTC(Number(year), at, Number(day))
}

/** A date that is not in the future. */
function past(date: number, now: number): number | null {
  return date <= now ? date : null
}

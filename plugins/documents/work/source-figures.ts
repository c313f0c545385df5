const ISO_DATE = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:T[\d:.]{2,20}(?:Z|[+-]\d{2}:?\d{2})?)?$/
const ISO_TIME = /^(\d{2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?$/
const ISO_DURATION =
  /^P(?=[\dT])(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/
/** Characters between the day and the year of one date. */
const NEAR = 30
/** Most occurrences of a year that are checked. */
const MOST_PLACES = 5_000

/** The numbers of a source, for ISO 8601 dates, times and durations that the source writes in other ways. */
export class SourceFigures {
  readonly #text: string
  readonly #all = new Map<string, number[]>()
  readonly #known = new Map<string, boolean>()

  constructor(text: string) {
    this.#text = text
    for (const { 0: written, index } of text.matchAll(/\d+/g)) {
      const figure = unpadded(written)
      const places = this.#all.get(figure) ?? []
      if (places.length < MOST_PLACES) places.push(index)
      this.#all.set(figure, places)
    }
  }

  /** Whether a date, time or duration is in the source; null for any other text. */
  has(text: string): boolean | null {
    const date = ISO_DATE.exec(text)
    if (date !== null) {
      const known = this.#known.get(text) ?? this.#hasDate(date)
      this.#known.set(text, known)
      return known
    }
    const time = ISO_TIME.exec(text)
    if (time !== null) return this.#hasTime(Number(time[1]), time[2] ?? '')
    const duration = ISO_DURATION.exec(text)
    return duration === null ? null : this.#hasDuration(duration.slice(1).map((figure) => Number(figure ?? 0)))
  }

  /** The month may be a name in any language, so year and day, near each other, decide. */
  #hasDate([, year = '', month = '', day = '']: readonly (string | undefined)[]): boolean {
    if (this.#all.has(`${year}${month}${day}`)) return true
    const years = [...this.#placesOf(year), ...this.#placesOf(year.slice(2))]
    if (day === '') return years.length > 0
    const figure = new RegExp(`(?<!\\d)0?${unpadded(day)}(?!\\d)`)
    return years.some((at) => {
      const before = this.#text.slice(Math.max(0, at - NEAR), at)
      const behind = this.#text.slice(at, at + NEAR).replace(/^\d+/, ' ')
      return figure.test(before) || figure.test(behind)
    })
  }

  /** Hours may be on a 12-hour clock; full hours may have no minutes. */
  #hasTime(hour: number, minute: string): boolean {
    const hours = [...new Set([hour, hour % 12 === 0 ? 12 : hour % 12])]
    return hours.some((each) => {
      if (minute === '00' && this.#all.has(String(each))) return true
      return this.#placesOf(String(each)).some(
        (at) => /^\d{1,2}\s?[:.h]\s?(\d{2})(?!\d)/.exec(this.#text.slice(at, at + 8))?.[1] === minute,
      )
    })
  }

  /** All its numbers, or its total in minutes. */
  #hasDuration([years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0]: readonly number[]): boolean {
    const figures = [years, months, weeks, days, hours, minutes, seconds].filter((figure) => figure > 0)
    const inMinutes = String((days * 24 + hours) * 60 + minutes)
    return (
      (figures.length > 0 && figures.every((figure) => this.#all.has(String(figure)))) || (inMinutes !== '0' && this.#all.has(inMinutes))
    )
  }

  #placesOf(figure: string): readonly number[] {
    return this.#all.get(unpadded(figure)) ?? []
  }
}

function unpadded(figures: string): string {
  return figures.replace(/^0+(?=\d)/, '')
}

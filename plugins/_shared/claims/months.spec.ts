import { expect } from 'chai'
import { folded, monthOf } from './months.js'

/** Languages in which a name means a different month than elsewhere are left out (ISO 639-1). */
const LANGUAGES = 'en de fr es it pt nl sv da nb fi pl cs sk hu ro tr el ru uk'.split(' ')
const WITH_SHORT = new Set('en de fr es it pt nl sv da nb ru'.split(' '))
/** Short names that are also ordinary words. */
const WORDS = ['out', 'ago', 'set', 'mag', 'gen', 'mart']

/** The folded names of a language for a month, 1 to 12. */
function namesOf(language: string, month: number): string[] {
  const short: Intl.DateTimeFormatOptions[] = WITH_SHORT.has(language) ? [{ day: 'numeric', month: 'short' }] : []
  return [{ month: 'long' } as const, { day: 'numeric', month: 'long' } as const, ...short].map((form) => {
    const parts = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' }).formatToParts(Date.UTC(2001, month - 1, 15))
    return folded(parts.find(({ type }) => type === 'month')?.value ?? '').replace(/\P{L}/gu, '')
  })
}

describe('names of months', () => {
  it('are those of Unicode CLDR in each language, without numbers and ordinary words', () => {
    const wrong = LANGUAGES.flatMap((language) =>
      Array.from({ length: 12 }, (_, at) => at + 1).flatMap((month) =>
        namesOf(language, month)
          .filter((name) => name.length >= 3 && !WORDS.includes(name) && monthOf(name) !== month)
          .map((name) => `${language} ${name} ${String(month)}`),
      ),
    )
    expect(wrong).to.deep.equal([])
    expect(WORDS.map(monthOf)).to.deep.equal(WORDS.map(() => undefined))
    expect(['sept', 'maerz', 'word'].map(monthOf)).to.deep.equal([9, 3, undefined])
  })
})

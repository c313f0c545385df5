import { allExtensions, extensionsOfTheme, isOpen } from '../catalogue/extensions.js'
import { themesOf, wordsOf } from '../names/keywords.js'
import type { Ground } from '../names/made.js'

/** An extension that suits a business, and the reason. */
interface Fitting {
  readonly tld: string
  readonly reason: string
}

const COMMON = [
  ['com', 'The commonest extension of all, which people type first.'],
  ['net', 'An old and widespread extension, for when .com is taken.'],
  ['org', 'Widespread, and trusted for organisations and open projects.'],
  ['co', 'Short, and used for companies in many countries.'],
] as const
const LITERAL = 300
const A_THEME = 100
/** Score reductions for each later theme, and for each later extension within its theme, so that themes alternate. */
const A_THEME_LATER = 10
const A_PLACE = 5

/**
 * Extensions that suit the description of a business: those that are a word of it, then those of its themes, mixed
 * with the most common ones.
 */
export function fittingExtensions({ description, company_name }: Ground, most: number): Fitting[] {
  const text = `${company_name ?? ''} ${description}`
  const words = new Set(wordsOf(text).filter((word) => word.length > 2))
  const themes = themesOf(text)
  const scored = new Map<string, { score: number; reason: string }>()
  const known = allExtensions()
    .filter(isOpen)
    .filter(({ theme }) => theme !== 'internationalised')
  const popularity = new Map(known.map((extension) => [extension.tld, extension.popularity]))
  const add = (tld: string, score: number, reason: string): void => {
    const common = popularity.get(tld)
    if (common !== undefined && (scored.get(tld)?.score ?? -1) < score + common) scored.set(tld, { score: score + common, reason })
  }
  for (const [tld, reason] of COMMON) add(tld, A_THEME, reason)
  for (const [at, { theme, words: found }] of themes.slice(0, 3).entries()) {
    const reason = `Of the theme ${theme}, as ${found.slice(0, 3).join(', ')} in the description.`
    const common = [...extensionsOfTheme(theme)].sort((one, other) => (popularity.get(other) ?? 0) - (popularity.get(one) ?? 0))
    for (const [place, tld] of common.entries()) add(tld, A_THEME - A_THEME_LATER * at - A_PLACE * place, reason)
  }
  for (const { tld } of known) if (words.has(tld)) add(tld, LITERAL, `"${tld}" occurs in the description itself.`)
  return [...scored]
    .sort(([one, { score }], [other, { score: others }]) => others - score || (one < other ? -1 : 1))
    .slice(0, most)
    .map(([tld, { reason }]) => ({ tld, reason }))
}

import { domainToUnicode } from 'node:url'
import { IANA_LIST } from './iana-list.js'
import { BY_KIND, STEPS } from './popular.js'
import { RESTRICTED, SECOND_LEVEL, THEMES } from './themes.js'

/** An extension of the catalogue. */
export interface Extension {
  /** As A-label, without a leading dot: `com`, `co.uk`, `xn--p1ai`. */
  readonly tld: string
  /** Characters; for internationalised ones those of their own script. */
  readonly length: number
  /** 0 to 100. */
  readonly popularity: number
  readonly theme: string
}

/** No names can be registered here. */
const HIDDEN = new Set(['arpa'])
/** Themes of extensions with restricted registration. */
const CLOSED = new Set(['brand', 'restricted'])

/** By extension, most common first, then shortest, then alphabetical. */
const ALL: ReadonlyMap<string, Extension> = new Map(built().map((extension) => [extension.tld, extension]))
const BY_THEME: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(THEMES).map(([theme, words]) => [theme, wordsOf(words).filter((tld) => ALL.has(tld))]),
)

/** Every extension, in page order. */
export function allExtensions(): readonly Extension[] {
  return [...ALL.values()]
}

/** The extension of this name as A-label; undefined when there is none. */
export function extensionOf(tld: string): Extension | undefined {
  return ALL.get(tld)
}

/** Extensions of a theme, of all that it belongs to. */
export function extensionsOfTheme(theme: string): readonly string[] {
  return BY_THEME.get(theme) ?? []
}

/** Whether anybody may register below it, according to the catalogue. */
export function isOpen({ theme }: Extension): boolean {
  return !CLOSED.has(theme)
}

function built(): Extension[] {
  const steps = new Map(STEPS.flatMap(([popularity, words]) => wordsOf(words).map((tld): [string, number] => [tld, popularity])))
  const themes = new Map<string, string>()
  for (const [theme, words] of Object.entries(THEMES)) for (const tld of wordsOf(words)) if (!themes.has(tld)) themes.set(tld, theme)
  const restricted = new Set(wordsOf(RESTRICTED))
  const themeOf = (tld: string): string => {
    if (tld.startsWith('xn--')) return 'internationalised'
    if (restricted.has(tld)) return 'restricted'
    return themes.get(tld) ?? (tld.length === 2 || tld.includes('.') ? 'country' : 'brand')
  }
  return [...wordsOf(IANA_LIST), ...wordsOf(SECOND_LEVEL)]
    .filter((tld) => !HIDDEN.has(tld))
    .map((tld) => {
      const theme = themeOf(tld)
      return { tld, length: [...domainToUnicode(tld)].length, popularity: steps.get(tld) ?? usual(theme), theme }
    })
    .sort((one, other) => other.popularity - one.popularity || one.length - other.length || (one.tld < other.tld ? -1 : 1))
}

function usual(theme: string): number {
  if (theme === 'country' || theme === 'internationalised' || theme === 'restricted' || theme === 'brand') return BY_KIND[theme]
  return BY_KIND.open
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

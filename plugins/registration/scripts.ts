const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Hangul',
  'Arabic',
  'Hebrew',
  'Armenian',
  'Georgian',
  'Cherokee',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Thai',
  'Ethiopic',
  'Khmer',
  'Lao',
  'Myanmar',
  'Sinhala',
].map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')])

/** Scripts commonly used together (Unicode UTS 39, "highly restrictive"). */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

/**
 * The scripts that a label mixes although they are not used together, as in deceptive names; `other` is used for
 * rarer ones. Empty for most labels. The label is in Unicode, not an A-label.
 */
export function mixedScripts(label: string): readonly string[] {
  const letters = [...label].filter((letter) => /\p{L}/u.test(letter) && !/\p{Script=Common}|\p{Script=Inherited}/u.test(letter))
  const found = new Set(letters.map((letter) => SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0] ?? 'other'))
  const scripts = [...SCRIPTS.map(([script]) => script), 'other'].filter((script) => found.has(script))
  const usual = scripts.length < 2 || TOGETHER.some((together) => scripts.every((script) => together.includes(script)))
  return usual ? [] : scripts
}

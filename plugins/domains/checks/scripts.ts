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

/** Scripts that are written together (Unicode UTS 39, "highly restrictive"). */
const TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
]

/** Letters of other alphabets, and digits, that are drawn like a Latin letter. */
const LOOKS: ReadonlyMap<string, string> = new Map([
  ...pairs('аеорсухѕіјһԁԛԝӏгь', 'aeopcyxsijhdqwlrb'),
  ...pairs('οανρυικτωχ', 'oavpuiktwx'),
  ...pairs('ıɡɑ', 'iga'),
])
const DIGITS: ReadonlyMap<string, string> = new Map([...pairs('01358', 'olesb')])

/** The scripts of the letters of a text; `other` for those of rarer ones. */
function scriptsOf(text: string): ReadonlySet<string> {
  const letters = [...text].filter((letter) => /\p{L}/u.test(letter) && !/\p{Script=Common}|\p{Script=Inherited}/u.test(letter))
  return new Set(letters.map((letter) => SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0] ?? 'other'))
}

/** Whether a label mixes scripts that nobody writes together, as names that are made to be mistaken do. */
export function mixesScripts(label: string): boolean {
  const scripts = [...scriptsOf(label)]
  return scripts.length > 1 && !TOGETHER.some((together) => scripts.every((script) => together.includes(script)))
}

/** The ASCII name that a label is drawn like, by letters of one other alphabet; null when it is not, or is ASCII itself. */
export function drawnLike(label: string): string | null {
  const drawn = [...label].map((letter) => LOOKS.get(letter) ?? letter).join('')
  return drawn !== label && /^[a-z0-9-]+$/.test(drawn) ? drawn : null
}

/** An ASCII label with digits, and `rn` and `vv`, read as the letters that they look like. */
export function readAsLetters(label: string): string {
  return [...label.replaceAll('rn', 'm').replaceAll('vv', 'w')].map((letter) => DIGITS.get(letter) ?? letter).join('')
}

function pairs(from: string, to: string): [string, string][] {
  const letters = [...to]
  return [...from].map((letter, at) => [letter, letters[at] ?? letter])
}

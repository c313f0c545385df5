/** Letters of other alphabets, and digits, that resemble a Latin letter. */
const LOOKS: ReadonlyMap<string, string> = new Map([
  ...pairs('аеорсухѕіјһԁԛԝӏгь', 'aeopcyxsijhdqwlrb'),
  ...pairs('οανρυικτωχ', 'oavpuiktwx'),
  ...pairs('ıɡɑ', 'iga'),
])
const DIGITS: ReadonlyMap<string, string> = new Map([...pairs('01358', 'olesb')])

/** The ASCII name that a label imitates with letters of one other alphabet; null when it does not, or is ASCII itself. */
export function drawnLike(label: string): string | null {
  const drawn = [...label].map((letter) => LOOKS.get(letter) ?? letter).join('')
  return drawn !== label && /^[a-z0-9-]+$/.test(drawn) ? drawn : null
}

/** An ASCII label with digits, and `rn` and `vv`, replaced by the letters they resemble. */
export function readAsLetters(label: string): string {
  return [...label.replaceAll('rn', 'm').replaceAll('vv', 'w')].map((letter) => DIGITS.get(letter) ?? letter).join('')
}

function pairs(from: string, to: string): [string, string][] {
  const letters = [...to]
  return [...from].map((letter, at) => [letter, letters[at] ?? letter])
}

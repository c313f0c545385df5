const fold = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs.split(' ').map((pair) => {
      const [from = '', to = ''] = pair.split('=')
      return [from, to]
    }),
  )

/** Letters without a removable mark. */
const LATIN = fold('ß=ss æ=ae œ=oe ø=o đ=d ð=d ł=l ı=i þ=th ħ=h ŋ=ng ə=a ĳ=ij ſ=s')
/** German, Danish and Norwegian transcription to ASCII. */
const SPELLED_OUT = fold('ä=ae ö=oe ü=ue ø=oe å=aa')
const CYRILLIC = fold(
  'а=a б=b в=v г=g д=d е=e ё=e ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya ' +
    'і=i ї=yi є=ye ґ=g ў=u ђ=dj ј=j љ=lj њ=nj ћ=c џ=dz ѓ=gj ќ=kj ѕ=dz',
)
/** As in passports (ICAO 9303), and other common transcriptions. */
const CYRILLIC_PASSPORT = fold('й=i ю=iu я=ia ї=i є=ie ъ=ie')
const CYRILLIC_SHORT = fold('х=h ё=yo й=j')
const UKRAINIAN = fold('г=h и=y')
/** ELOT 743. */
const GREEK = fold(
  'αυ=av ευ=ev ου=ou γγ=ng γκ=gk γξ=nx γχ=nch μπ=mp ντ=nt α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f ' +
    'χ=ch ψ=ps ω=o',
)
const GREEK_SHORT = fold('χ=h υ=i ου=ou γκ=g')

const WAYS: readonly ((text: string, ukrainian: boolean) => ReadonlyMap<string, string>[])[] = [
  (_, ukrainian) => [...(ukrainian ? [UKRAINIAN] : []), CYRILLIC, GREEK, LATIN],
  (_, ukrainian) => [SPELLED_OUT, CYRILLIC_PASSPORT, ...(ukrainian ? [UKRAINIAN] : []), GREEK_SHORT, CYRILLIC, GREEK, LATIN],
  (_, ukrainian) => [CYRILLIC_SHORT, ...(ukrainian ? [UKRAINIAN] : []), CYRILLIC, GREEK, LATIN],
]

/**
 * A word in a to z and digits, in each usual spelling: first without marks (`muller`) or, when `spelledOut`,
 * transcribed (`mueller`). Empty for a word in an unsupported script.
 */
export function spellings(word: string, spelledOut: boolean): readonly string[] {
  const text = word.normalize('NFC').toLowerCase().normalize('NFC')
  const ukrainian = /[іїєґ]/u.test(text)
  const all = WAYS.map((way) => written(text, way(text, ukrainian))).filter((each) => each !== null && each !== '')
  const ordered = spelledOut && all.length > 1 ? [all[1], all[0], ...all.slice(2)] : all
  return [...new Set(ordered.filter((each) => each !== undefined && each !== null))]
}

/** Null when a letter is of another script. */
function written(text: string, tables: readonly ReadonlyMap<string, string>[]): string | null {
  let out = ''
  for (let place = 0; place < text.length;) {
    const [length, letters] = next(text, place, tables)
    if (letters === null) return null
    out += letters
    place += length
  }
  return out
}

function next(text: string, place: number, tables: readonly ReadonlyMap<string, string>[]): readonly [number, string | null] {
  for (const length of [2, 1]) {
    const part = text.slice(place, place + length)
    for (const table of tables) {
      const found = part.length === length ? table.get(part) : undefined
      if (found !== undefined) return [length, found]
    }
  }
  const letter = String.fromCodePoint(text.codePointAt(place) ?? 0)
  if (/^[a-z0-9]$/.test(letter)) return [1, letter]
  // A letter without its marks may be in a table itself.
  const unmarked = letter.normalize('NFD').replace(/\p{M}/gu, '')
  if (unmarked !== letter) return [letter.length, unmarked === '' ? '' : written(unmarked, tables)]
  return [letter.length, /\p{M}|\p{P}|\p{Cf}|\p{S}/u.test(letter) ? '' : null]
}

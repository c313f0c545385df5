import type { Modifiers } from '../piece.js'

type Change = Partial<Modifiers>

const groups: readonly (readonly [Change, string])[] = [
  [{ loudness: -0.6 }, 'soft softer softly gentle gently quiet quietly calm calming mild subtle delicate relaxing peaceful soothing'],
  [{ loudness: -0.8 }, 'faint faintly barely'],
  [{ loudness: 0.8 }, 'loud louder loudly intense powerful furious fierce harsh aggressive'],
  [{ loudness: 0.7, weight: 0.4 }, 'strong strongly raging violent violently'],
  [{ loudness: 1 }, 'deafening ear-splitting'],
  [{ distance: 0.8 }, 'distant distantly distance far faraway remote afar'],
  [{ distance: 0.7 }, 'muffled underwater'],
  [{ distance: 0.55 }, 'background behind'],
  [{ distance: 0 }, 'near nearer nearby close closer closeup up-close'],
  [{ weight: 0.8 }, 'heavy heavily thick dense torrential pouring'],
  [{ weight: 0.6 }, 'big large'],
  [{ weight: 1 }, 'huge massive giant enormous gigantic epic'],
  [{ weight: -0.6 }, 'small little light lightly thin'],
  [{ weight: -1 }, 'tiny'],
  [{ weight: 0.5, pitch: -0.5 }, 'deep deeply'],
  [{ speed: 1.6 }, 'fast faster quick quickly rapid rapidly hurried hurriedly hasty brisk briskly speedy'],
  [{ speed: 2.1 }, 'frantic frantically hectic'],
  [{ speed: 0.6 }, 'slow slower slowly lazy leisurely sluggish unhurried'],
  [{ echo: 0.65 }, 'echo echoes echoing echoey reverb reverberating reverberant hall stairwell'],
  [{ echo: 0.9 }, 'cave cavern cathedral church canyon tunnel'],
  [{ echo: 0.4 }, 'bathroom hallway corridor garage warehouse'],
  [{ pitch: 0.7 }, 'high higher'],
  [{ pitch: 1 }, 'shrill'],
  [{ pitch: -0.7 }, 'low lower'],
]
const CHANGES: ReadonlyMap<string, Change> = new Map(
  groups.flatMap(([change, words]) => words.split(' ').map((word) => [word, change] as const)),
)
const DEGREES: ReadonlyMap<string, number> = new Map([
  ...['very', 'really', 'extremely', 'super', 'incredibly'].map((word) => [word, 1.4] as const),
  ...['slightly', 'somewhat', 'rather', 'bit'].map((word) => [word, 0.5] as const),
])

const NEUTRAL: Modifiers = { loudness: 0, distance: 0, weight: 0, speed: 1, echo: 0, pitch: 0 }

/** Whether a word modifies a sound, or the strength of another modifier. */
export function isModifier(word: string): boolean {
  return CHANGES.has(word) || DEGREES.has(word) || word === 'pitched' || word === 'pitch'
}

/** Combined modifiers of the words with a thing, within the bounds of `Modifiers`. */
export function modifiersOf(words: readonly string[]): Modifiers {
  const sum = { ...NEUTRAL }
  for (const [at, word] of words.entries()) {
    const change = CHANGES.get(word)
    if (change === undefined) continue
    const degree = DEGREES.get(words[at - 1] ?? '') ?? 1
    sum.loudness += (change.loudness ?? 0) * degree
    sum.distance = Math.max(sum.distance, (change.distance ?? 0) * degree)
    sum.weight += (change.weight ?? 0) * degree
    sum.speed *= (change.speed ?? 1) ** degree
    sum.echo = Math.max(sum.echo, (change.echo ?? 0) * degree)
    sum.pitch += (change.pitch ?? 0) * degree
  }
  const held = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value))
  return {
    loudness: held(sum.loudness, -1, 1),
    distance: held(sum.distance, 0, 1),
    weight: held(sum.weight, -1, 1),
    speed: held(sum.speed, 0.4, 2.5),
    echo: held(sum.echo, 0, 1),
    pitch: held(sum.pitch, -1, 1),
  }
}

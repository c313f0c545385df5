import readLevels from '../../../plugins/transcription/parse/levels.js'
import { joined } from '../../../plugins/transcription/join.js'
import { pausesIn } from '../../../plugins/transcription/pauses.js'
import { cuts } from '../../../plugins/transcription/pieces.js'
import { BYTES_PER_SECOND, byteAt, HEADER, type Range } from '../../../plugins/transcription/wav.js'
import { row, type Say } from '../files/figure.js'
import { type Listen, withWhisper } from './direct-whisper.js'
import { longTalk, type Talk } from './talks.js'
import { aligned, heardOf, scoredWords, wordErrors } from './words.js'
import { withSpeech } from './world.js'

/** Longest pieces in seconds: of the plugin, and shorter ones for more cuts. */
const PIECES_S = 240
const SHORT_S = 60
/** Words within so many seconds of a cut are at the cut: as much as two pieces overlap. */
const AT_CUT_S = 4

/** A long recording in pieces, as the plugin cuts and joins it, beside the same in one piece: words that were lost or doubled at the cuts. */
export async function benchJoined(say: Say, { minutes, each }: { readonly minutes: number; readonly each: boolean }): Promise<void> {
  const talk = await withSpeech({}, (world) => longTalk(world, minutes * 60))
  const samples = talk.wav.subarray(HEADER)
  const duration = samples.length / BYTES_PER_SECOND
  const pauses = pausesIn(readLevels(samples).levels)
  const text = talk.turns.map((turn) => turn.text).join(' ')
  await withWhisper(async (listen) => {
    const whole = await heardIn([{ from: 0, to: duration }], samples, listen)
    say(row(`words wrong in ${minutes.toFixed(0)} minutes in one piece`, wordErrors([heardOf(text, whole)]), { unit: '%' }))
    for (const [what, ranges] of [
      [`pieces of at most ${String(PIECES_S)} s, cut at pauses`, cuts({ duration, pauses }, PIECES_S)],
      [`pieces of at most ${String(SHORT_S)} s, cut at pauses`, cuts({ duration, pauses }, SHORT_S)],
      [`pieces of at most ${String(SHORT_S)} s that overlap, regardless of pauses`, cuts({ duration, pauses: [] }, SHORT_S)],
    ] as const) {
      const found = await heardIn(ranges, samples, listen)
      const errors = errorsAtCuts(talk, { ranges, whole, pieces: found }, each ? say : () => undefined)
      say(
        row(`words lost or doubled at ${String(ranges.length - 1)} cuts: ${what}`, errors.lost + errors.doubled, {
          most: 0,
          unit: 'words',
        }),
      )
      say(row(`words wrong of all: ${what}`, wordErrors([heardOf(text, found)]), { unit: '%' }))
    }
  })
}

async function heardIn(ranges: readonly Range[], samples: Buffer, listen: Listen): Promise<string> {
  const parts = []
  for (const { from, to } of ranges) {
    const answer = await listen(samples.subarray(byteAt(from), byteAt(to)), to - from)
    if (answer !== null) parts.push({ from, to, answer })
  }
  return joined(parts, ranges.at(-1)?.to ?? 0).text
}

interface Heard {
  readonly ranges: readonly Range[]
  readonly whole: string
  readonly pieces: string
}

/** What is missing and what is too much of the words around each cut, as far as the recording in one piece has it right. */
function errorsAtCuts(talk: Talk, { ranges, whole, pieces }: Heard, say: Say): { readonly lost: number; readonly doubled: number } {
  const words = timedWords(talk)
  const said = words.map(({ word }) => word)
  const [one, other] = [changes(said, scoredWords(whole)), changes(said, scoredWords(pieces))]
  let [lost, doubled] = [0, 0]
  for (const [at, { from }] of ranges.entries()) {
    const before = ranges[at - 1]
    if (before === undefined) continue
    const near = words.flatMap(({ time }, index) => (time > from - AT_CUT_S && time < before.to + AT_CUT_S ? [index] : []))
    const sum = (counts: readonly number[]): number => near.reduce((total, index) => total + (counts[index] ?? 0), 0)
    const here = { lost: Math.max(0, sum(other.missing) - sum(one.missing)), doubled: Math.max(0, sum(other.added) - sum(one.added)) }
    lost += here.lost
    doubled += here.doubled
    if (here.lost + here.doubled === 0) continue
    const texts = [said, scoredWords(whole), scoredWords(pieces)].map((words) => wordsNear(said, words, near).join(' '))
    say(`  at ${from.toFixed(0)} s ${String(here.lost)} lost, ${String(here.doubled)} doubled: ${texts.join(' > ')}`)
  }
  return { lost, doubled }
}

/** The recognised words from the first to the last of these spoken words. */
function wordsNear(said: readonly string[], heard: readonly string[], near: readonly number[]): readonly string[] {
  const [first = 0, last = 0] = [near[0], near.at(-1)]
  const places = aligned(said, heard).flatMap(([at, to]) => (at !== null && to !== null && at >= first && at <= last ? [to] : []))
  return heard.slice(places[0] ?? 0, (places.at(-1) ?? -1) + 1)
}

/** For each word that was said 1 when it is missing, and how many words before it were not said. */
function changes(said: readonly string[], heard: readonly string[]): { readonly missing: number[]; readonly added: number[] } {
  const [missing, added] = [said.map(() => 0), said.map(() => 0)]
  let at = 0
  for (const [place, other] of aligned(said, heard)) {
    if (place === null) added[Math.min(at, said.length - 1)] = (added[Math.min(at, said.length - 1)] ?? 0) + 1
    else {
      if (other === null) missing[place] = 1
      at = place + 1
    }
  }
  return { missing, added }
}

/** The words of a talk with the time at which each is said, as estimated from the letters before it. */
function timedWords({ turns }: Talk): { readonly word: string; readonly time: number }[] {
  return turns.flatMap(({ text, from, to }) => {
    const words = scoredWords(text)
    const letters = words.join('').length
    let before = 0
    return words.map((word) => {
      const time = from + ((to - from) * (before + word.length / 2)) / letters
      before += word.length
      return { word, time }
    })
  })
}

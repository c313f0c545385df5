import { engineSeconds } from '../engines.js'
import { row, type Say } from '../files/figure.js'
import { diarization, type Turn } from './diarization.js'
import type { Talk } from './talks.js'
import { heardOf, wordErrors } from './words.js'
import { withSpeech, written, type SpeechWorld } from './world.js'

interface Found {
  readonly count: number
  readonly turns: readonly Turn[]
  readonly text: string
}

/** Who says what in the made talks: the number of speakers, the error rate of their turns, and the processor time of both engines. */
export async function benchSpeakers(
  say: Say,
  { talks, each }: { readonly talks: (world: SpeechWorld) => Promise<Talk[]>; readonly each: boolean },
): Promise<void> {
  await withSpeech({}, async (world) => {
    const made = await talks(world)
    const whisper = engineSeconds(world.pid, 'transcription/engine/whisper.py', () => all(world, made))
    const { result, seconds: separating } = await engineSeconds(world.pid, 'transcription/engine/speakers.py', () => whisper)
    const { result: found, seconds: writing } = result
    const scores = made.map(({ turns }, at) => diarization(turns, found[at]?.turns ?? []))
    const right = made.filter(({ turns }, at) => new Set(turns.map(({ speaker }) => speaker)).size === found[at]?.count).length
    const sum = (pick: (score: (typeof scores)[number]) => number): number => scores.reduce((total, score) => total + pick(score), 0)
    const scored = sum((score) => score.scored)
    const count = String(made.length)
    const length = made.reduce((total, talk) => total + talk.length, 0)
    if (each)
      made.forEach(({ name, turns }, at) => {
        const real = new Set(turns.map(({ speaker }) => speaker)).size
        say(`  ${name}: ${String(real)} voices, ${String(found[at]?.count)} found, error rate ${scores[at]?.rate.toFixed(3) ?? ''}`)
      })
    say(row(`talks of ${count} in which the number of speakers is right`, right, { least: 8, unit: 'talks' }))
    say(row(`diarization error rate of ${count} talks`, sum(({ rate, scored: own }) => rate * own) / scored, { most: 0.2, unit: '' }))
    for (const part of ['missed', 'falseAlarm', 'confused'] as const)
      say(row(`of it ${part === 'falseAlarm' ? 'false alarm' : part}`, sum((score) => score[part]) / scored, { unit: '' }))
    say(row('the worst talk', Math.max(...scores.map(({ rate }) => rate)), { unit: '' }))
    const heard = made.map(({ turns }, at) => heardOf(turns.map(({ text }) => text).join(' '), found[at]?.text ?? ''))
    say(row('words of the talks that whisper tiny.en writes down wrong', wordErrors(heard), { unit: '%' }))
    say(row('whisper tiny.en: processor time for a second of sound', writing / length, { most: 0.3, unit: 's' }))
    say(row('speakers: processor time for a second of sound', separating / length, { unit: 's' }))
  })
}

async function all(world: SpeechWorld, talks: readonly Talk[]): Promise<Found[]> {
  const found: Found[] = []
  for (const { name, wav } of talks) {
    const file = written(world.folder, `${name.replaceAll(' ', '-')}.wav`, wav)
    const { data, notes } = await world.call('/v1/audio/transcribe', { audio_url: world.address(file), language: 'en' })
    if (data === null || notes.length > 0) throw new Error(`${name}: ${notes.join(' ') || 'no words'}`)
    const said = data['utterances'] as readonly { readonly speaker: number; readonly start: number; readonly end: number }[]
    const turns = said.map(({ speaker, start, end }) => ({ speaker, from: start, to: end }))
    found.push({ count: Number(data['speaker_count']), turns, text: String(data['transcript']) })
  }
  return found
}

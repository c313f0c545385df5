import { engineSeconds } from '../engines.js'
import { row, type Say } from '../files/figure.js'
import { diarization, type Diarization } from './diarization.js'
import type { Talk } from './talks.js'
import { heardOf, wordErrors, type Heard } from './words.js'
import { withSpeech, written, type SpeechWorld } from './world.js'

/** Of so many talks the share in which the number of speakers has to be right. */
const RIGHT = 0.8

/** What was found of a talk. */
interface Found {
  readonly isRight: boolean
  readonly score: Diarization
  readonly words: Heard
}

interface Options {
  readonly talks: (world: SpeechWorld) => Promise<Talk[]>
  /** Whether each talk has a line. */
  readonly each: boolean
}

/** Who says what in the made talks: the number of speakers, the error rate of their turns, and the processor time of both engines. */
export async function benchSpeakers(say: Say, { talks, each }: Options): Promise<void> {
  await withSpeech({}, async (world) => {
    const made = await talks(world)
    const work = (): Promise<Found[]> => found(world, made, each ? say : () => undefined)
    const writing = engineSeconds(world.pid, 'transcription/engine/whisper.py', work)
    const { result, seconds: separating } = await engineSeconds(world.pid, 'transcription/engine/speakers.py', () => writing)
    const all = result.result
    const length = made.reduce((sum, talk) => sum + talk.length, 0)
    const scored = all.reduce((sum, { score }) => sum + score.scored, 0)
    const share = (pick: (score: Diarization) => number): number => all.reduce((sum, { score }) => sum + pick(score), 0) / scored
    const count = String(made.length)
    const right = all.filter(({ isRight }) => isRight).length
    say(row(`talks of ${count} in which the number of speakers is right`, right, { least: Math.ceil(RIGHT * made.length), unit: 'talks' }))
    say(
      row(
        `diarization error rate of ${count} talks`,
        share((score) => score.rate * score.scored),
        { most: 0.2, unit: '' },
      ),
    )
    say(row('of it missed', share(({ missed }) => missed), { unit: '' })) // prettier-ignore
    say(row('of it false alarm', share(({ falseAlarm }) => falseAlarm), { unit: '' })) // prettier-ignore
    say(row('of it confused', share(({ confused }) => confused), { unit: '' })) // prettier-ignore
    say(row('the worst talk', Math.max(...all.map(({ score }) => score.rate)), { unit: '' }))
    say(row('words of the talks that whisper tiny.en writes down wrong', wordErrors(all.map(({ words }) => words)), { unit: '%' }))
    say(row('whisper tiny.en: processor time for a second of sound', result.seconds / length, { most: 0.3, unit: 's' }))
    say(row('speakers: processor time for a second of sound', separating / length, { unit: 's' }))
  })
}

async function found(world: SpeechWorld, talks: readonly Talk[], say: Say): Promise<Found[]> {
  const all: Found[] = []
  for (const { name, wav, turns } of talks) {
    const file = written(world.folder, `${name.replaceAll(' ', '-')}.wav`, wav)
    const { data, notes } = await world.call('/v1/audio/transcribe', { audio_url: world.address(file), language: 'en' })
    if (data === null || notes.length > 0) throw new Error(`${name}: ${notes.join(' ') || 'no words'}`)
    const said = data['utterances'] as readonly { readonly speaker: number; readonly start: number; readonly end: number }[]
    const score = diarization(turns, said.map(({ speaker, start, end }) => ({ speaker, from: start, to: end }))) // prettier-ignore
    const [real, count] = [new Set(turns.map(({ speaker }) => speaker)).size, Number(data['speaker_count'])]
    const words = heardOf(turns.map(({ text }) => text).join(' '), String(data['transcript']))
    all.push({ isRight: count === real, score, words })
    const errors = `missed ${score.missed.toFixed(1)}, false alarm ${score.falseAlarm.toFixed(1)}, confused ${score.confused.toFixed(1)} s`
    say(
      `  ${name}: ${String(real)} voices, ${String(count)} found, error rate ${score.rate.toFixed(3)}, ${errors} of ${score.scored.toFixed(0)}`,
    )
  }
  return all
}

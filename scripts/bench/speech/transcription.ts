import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSphinx } from '../../../plugins/transcription/sphinx-output.js'
import { RATE } from '../../../plugins/transcription/wav.js'
import { engineSeconds } from '../engines.js'
import { row, unmeasured, type Say } from '../files/figure.js'
import { recordings } from './recordings.js'
import { SENTENCES } from './sentences.js'
import { speech } from './synthesized.js'
import { samplesIn } from './voices.js'
import { type Heard, heardOf, wordErrors } from './words.js'
import { made, transcript, withSpeech, written, type SpeechWorld } from './world.js'

/** A file of the folder and what is said in it. */
interface Known {
  readonly file: string
  readonly said: string
}

/** Sentences that the neural voice speaks for this. */
const SPOKEN = 25

/** Words that Whisper and PocketSphinx write down wrong: of recordings of people, and of sentences that the neural voice speaks. */
export async function benchTranscription(
  say: Say,
  { each, models }: { readonly each: boolean; readonly models: readonly string[] },
): Promise<void> {
  await withSpeech({}, async (world) => {
    const people = recordings()
    if (people === null) say(unmeasured('recordings of people', 'the Debian package pocketsphinx-testdata cannot be had'))
    else
      await compared(world, { say, what: 'recordings of people', known: people.map((file, at) => ofPeople(world, file, at)), each, models })
    const spoken: Known[] = []
    for (const [at, { text, heard }] of SENTENCES.slice(0, SPOKEN).entries()) {
      const { bytes, format } = await speech(world, text, 'voice')
      const file = made(world.folder, `sentence-${String(at)}.wav`, '-i', written(world.folder, `spoken.${format}`, bytes))
      spoken.push({ file, said: heard })
    }
    await compared(world, { say, what: 'sentences of the neural voice', known: spoken, each, models })
  })
}

function ofPeople({ folder }: SpeechWorld, { path, said, raw }: NonNullable<ReturnType<typeof recordings>>[number], at: number): Known {
  const form = raw ? ['-f', 's16le', '-ar', String(RATE), '-ac', '1'] : []
  return { file: made(folder, `person-${String(at)}.wav`, ...form, '-i', path), said }
}

interface Comparison {
  readonly say: Say
  readonly what: string
  readonly known: readonly Known[]
  readonly each: boolean
  readonly models: readonly string[]
}

async function compared(world: SpeechWorld, { say, what, known, each, models }: Comparison): Promise<void> {
  const count = `${String(known.length)} ${what}`
  const length = known.reduce((sum, { file }) => sum + samplesIn(readFileSync(join(world.folder, file))).length / RATE, 0)
  for (const [model, language] of [
    ['tiny.en', 'en'],
    ['base', 'auto'],
  ] as const) {
    if (!models.includes(model)) continue
    // The model is loaded by the first question.
    await transcript(world, known[0]?.file ?? '', language)
    const listen = (): Promise<Heard[]> => heard(known, each ? say : () => undefined, ({ file }) => transcript(world, file, language))
    const { result, seconds } = await engineSeconds(world.pid, 'transcription/engine/whisper.py', listen)
    say(row(`whisper ${model}: words wrong in ${count}`, wordErrors(result), { unit: '%' }))
    const about = `files of ${(length / known.length).toFixed(0)} s`
    say(
      row(`whisper ${model}: processor time for a second of sound in ${about}, of which each costs half a minute`, seconds / length, {
        unit: 's',
      }),
    )
  }
  const found = await heard(
    known,
    () => undefined,
    ({ file }) => Promise.resolve(sphinx(world.folder, file)),
  )
  say(row(`pocketsphinx: words wrong in ${count}`, wordErrors(found), { unit: '%' }))
}

async function heard(known: readonly Known[], say: Say, listen: (known: Known) => Promise<string>): Promise<Heard[]> {
  const all: Heard[] = []
  for (const each of known) {
    const text = await listen(each)
    const found = heardOf(each.said, text)
    all.push(found)
    if (found.wrong > 0) say(`  ${String(found.wrong)} of ${String(found.of)}: ${each.said} > ${text}`)
  }
  return all
}

/** All that PocketSphinx writes down, also what the gateway would not pass on as it is unsure of it. */
function sphinx(folder: string, file: string): string {
  const { status, stdout, stderr } = spawnSync('pocketsphinx_continuous', ['-infile', file, '-time', 'yes', '-logfn', '/dev/null'], {
    cwd: folder,
  })
  if (status !== 0) throw new Error(`pocketsphinx_continuous: ${stderr.toString()}`)
  return readSphinx(stdout, Infinity)?.text ?? ''
}

import { parseArgs } from 'node:util'
import { findProgram } from '../../../core/exec/programs.js'
import { tableHead, unmeasured, type Say } from '../files/figure.js'
import { benchBeside } from './beside.js'
import { benchFilm } from './film.js'
import { benchHeardBack } from './heard-back.js'
import { benchHeardDirect } from './heard-direct.js'
import { benchJoined } from './joined.js'
import { benchSpeakers } from './speakers.js'
import { benchHour, benchSubtitles, benchSubtitlesDirect } from './subtitles.js'
import { talks, type Talk } from './talks.js'
import { benchTranscription } from './transcription.js'
import { benchUnspoken } from './unspoken.js'
import { benchUnused } from './unused.js'
import type { SpeechWorld } from './world.js'

const HELP = `npm run bench:speech -- [--only NAME,NAME] [--list] [--each] [--talks 10] [--minutes 10] [--together 1] [--save FOLDER]
  [--by voice,espeak-ng] [--models tiny.en,base]

Measures speech in both directions at gateways of this build, with the engine packs (npm run tools -- engines) and Debian's ffmpeg, espeak-ng and
pocketsphinx. All sounds are made here, except recordings of people of Debian's pocketsphinx-testdata.

heard-back      fifty sentences with dates, money, times and addresses, spoken by the neural voice and by espeak-ng, recognised by Whisper base
heard-direct    the fifty of the neural voice one at a time without a gateway, for a machine that is too busy for its limits of time; only where it is named
transcription   recordings of people and spoken sentences, written down by Whisper tiny.en, Whisper base and PocketSphinx
unspoken        twelve files of silence, noise and music
speakers        ten made talks of two to four voices: count of the speakers, diarization error rate, words, processor time
subtitles       subtitles of these talks by the rules, and read by FFmpeg
subtitles-direct  the same with the speakers that the talks have, without a gateway; only where it is named
hour            subtitles of an hour of words
joined          a long recording in pieces beside the same in one piece
beside          searches beside eight conversions and transcriptions
film            memory of the gateway while a film of 500 MiB is written down
unused          what the packs cost at the start of a gateway that does not use them

--only      these parts alone          --each      a line for each sentence, talk and file that is not right
--talks     so many of the ten talks   --save      folder for the sounds of heard-back, and beside each its text
--minutes   length of the long one     --together  sentences of heard-back in one recording, 1: ten are recognised in a fifth of the time
--by        vendors of heard-back      --models    models of Whisper for transcription

  npm run bench:speech -- --only speakers,subtitles --each
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
    talks: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '10' },
    save: { type: 'string', default: '' },
    together: { type: 'string', default: '1' },
    by: { type: 'string', default: 'voice,espeak-ng' },
    models: { type: 'string', default: 'tiny.en,base' },
    help: { type: 'boolean', default: false },
  },
})
const { each, save } = values
const [by, models] = [values.by.split(','), values.models.split(',')]
const [minutes, count, together] = [values.minutes, values.talks, values.together].map(Number) as [number, number, number]

/** What a part needs beside FFmpeg, and the part. */
interface Part {
  readonly needs: readonly string[]
  readonly run: (say: Say, talks: (world: SpeechWorld) => Promise<Talk[]>) => Promise<void> | void
}

const PARTS: Readonly<Record<string, Part>> = {
  'heard-back': { needs: ['voice', 'whisper', 'espeak-ng'], run: (say) => benchHeardBack(say, { save, each, together, by }) },
  'heard-direct': { needs: ['voice', 'whisper'], run: (say) => benchHeardDirect(say, { each }) },
  transcription: { needs: ['voice', 'whisper', 'pocketsphinx_continuous'], run: (say) => benchTranscription(say, { each, models }) },
  unspoken: { needs: ['whisper'], run: benchUnspoken },
  speakers: { needs: ['voice', 'whisper', 'speakers', 'espeak-ng'], run: (say, made) => benchSpeakers(say, { talks: made, each }) },
  subtitles: { needs: ['voice', 'whisper', 'speakers', 'espeak-ng'], run: (say, made) => benchSubtitles(say, { talks: made }) },
  'subtitles-direct': { needs: ['voice', 'whisper', 'espeak-ng'], run: (say) => benchSubtitlesDirect(say, count) },
  hour: { needs: [], run: benchHour },
  joined: { needs: ['whisper'], run: (say) => benchJoined(say, { minutes, each }) },
  beside: { needs: ['whisper'], run: benchBeside },
  film: { needs: ['whisper'], run: benchFilm },
  unused: { needs: ['cutout', 'voice', 'whisper'], run: benchUnused },
}

const names = values.only === '' ? Object.keys(PARTS).filter((name) => !name.endsWith('-direct')) : values.only.split(',')
const unknown = names.filter((name) => !(name in PARTS))
if (values.help) process.stdout.write(HELP)
else if (unknown.length > 0 || !(minutes > 0 && count > 0 && together > 0)) {
  process.stderr.write(
    unknown.length > 0
      ? `There is no part ${unknown.join(', ')}; --list names them.\n`
      : 'minutes, talks and together are numbers above 0.\n',
  )
  process.exitCode = 2
} else if (values.list) process.stdout.write(`${names.join('\n')}\n`)
else await main()

async function main(): Promise<void> {
  const say: Say = (line) => void process.stdout.write(`${line}\n`)
  say(tableHead())
  let made: Promise<Talk[]> | null = null
  const once = (world: SpeechWorld): Promise<Talk[]> => (made ??= talks(world, count))
  for (const name of names) {
    const part = PARTS[name]
    const missing = ['ffmpeg', 'bwrap', ...(part?.needs ?? [])].filter((program) => findProgram(program, undefined) === undefined)
    if (missing.length > 0) say(unmeasured(name, `there is no ${missing.join(', ')}`))
    else await part?.run(say, once)
  }
}

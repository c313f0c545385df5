import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { findProgram } from '../../../core/exec/programs.js'
import { SOUND_FONT } from '../../../plugins/_vendors/music.js'
import { median, row, tableHead, unmeasured, type Say } from '../files/figure.js'
import { benchBeside } from './beside.js'
import { featuresOf, type Features } from './features.js'
import { lacks, prompts, type Prompt } from './prompts.js'
import { renderingMs } from './rendering.js'
import { withSounds, type SoundWorld } from './world.js'

const HELP = `npm run bench:sounds -- [--only NAME,NAME] [--kind NAME] [--each] [--rounds 3] [--seconds 15] [--sounds 20]

Makes sounds at a gateway of this build by its local engines, and measures them. Needs ffmpeg and bubblewrap; sonic-pi-samples for recorded sounds and
timgm6mb-soundfont for music.

prompts   sixty prompts that were written before the engine, each with the features that its sound must have (scripts/bench/sounds/prompts.json)
time      processor time of 5 s of synthesis and of music, with the start of its process
beside    searches beside eight sounds that are made at once

--only    these parts alone            --each     a line for each prompt that is not right
--kind    prompts of one kind          --rounds   of searches, of --seconds each
--sounds  sounds of each row of time

  npm run bench:sounds -- --only prompts --each
`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    kind: { type: 'string', default: '' },
    each: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '15' },
    sounds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})
const say: Say = (line) => void process.stdout.write(`${line}\n`)
const [rounds, seconds, count] = [values.rounds, values.seconds, values.sounds].map(Number) as [number, number, number]
const RATE = 44_100
const USUAL_SECONDS = 5

const TIMED = {
  synth: { prompts: ['rain', 'wind', 'thunder', 'a siren', 'footsteps on gravel', 'a stream', 'a campfire', 'ocean waves'], most: 300 },
  music: { prompts: ['calm piano melody', 'rock drums', 'sad violin solo', 'jazz trio'], most: 1_000 },
} as const

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  prompts: async () => await withSounds({}, right),
  time,
  beside: async () => await benchBeside(say, { rounds, roundMs: seconds * 1_000 }),
}
const names = values.only === '' ? Object.keys(PARTS) : values.only.split(',')
if (values.help) process.stdout.write(HELP)
else if (names.some((name) => !(name in PARTS)) || ![rounds, seconds, count].every((value) => value > 0)) {
  process.stderr.write(HELP)
  process.exitCode = 2
} else await main()

async function main(): Promise<void> {
  say(tableHead())
  const missing = ['ffmpeg', 'bwrap'].filter((program) => findProgram(program, undefined) === undefined)
  for (const name of names)
    if (missing.length > 0) say(unmeasured(name, `there is no ${missing.join(', ')}`))
    else await PARTS[name]?.()
}

/** How many of the prompts are right, of each kind and in all. */
async function right(world: SoundWorld): Promise<void> {
  const found: { readonly prompt: Prompt; readonly lacking: readonly string[] }[] = []
  for (const prompt of prompts().filter(({ kind }) => values.kind === '' || kind === values.kind)) {
    const lacking = await lackingOf(world, prompt)
    found.push({ prompt, lacking })
    if (values.each && lacking.length > 0) say(`  ${prompt.kind}, ${prompt.prompt}: ${lacking.join('; ')}`)
  }
  for (const kind of new Set(found.map(({ prompt }) => prompt.kind))) {
    const own = found.filter(({ prompt }) => prompt.kind === kind)
    say(
      row(`prompts of kind ${kind} that are right`, own.filter(({ lacking }) => lacking.length === 0).length, {
        unit: `of ${String(own.length)}`,
      }),
    )
  }
  const share = found.filter(({ lacking }) => lacking.length === 0).length / found.length
  say(row(`prompts that are right, of ${String(found.length)}`, share * 100, { least: 85, unit: '%' }))
}

async function lackingOf(world: SoundWorld, prompt: Prompt): Promise<string[]> {
  const length = prompt.seconds ?? USUAL_SECONDS
  const own = await featuresAt(world, prompt.prompt, length)
  if (own === null) return ['no result']
  return lacks(prompt, own, prompt.than === undefined ? null : await featuresAt(world, prompt.than, length))
}

async function featuresAt(world: SoundWorld, prompt: string, length: number): Promise<Features | null> {
  const made = await world.make(prompt, length)
  return made === null ? null : featuresOf(made.samples, RATE)
}

function time(): Promise<void> {
  for (const [engine, { prompts: timed, most }] of Object.entries(TIMED)) {
    if (engine === 'music' && !existsSync(SOUND_FONT)) {
      say(unmeasured(`${engine}: processor time`, 'timgm6mb-soundfont is not installed'))
      continue
    }
    const spent = Array.from({ length: count }, (_, at) => renderingMs(timed[at % timed.length] ?? timed[0], USUAL_SECONDS))
    const about = `of ${String(USUAL_SECONDS)} s, with the start of its process`
    say(row(`${engine}: processor time ${about}, median of ${String(count)}`, median(spent), { most, unit: 'ms' }))
    say(row(`${engine}: the most`, Math.max(...spent), { unit: 'ms' }))
  }
  return Promise.resolve()
}

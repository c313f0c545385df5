import { RATE, wavHeader } from '../../../plugins/transcription/wav.js'
import { random, type Random } from '../invoices/random.js'
import type { Turn } from './diarization.js'
import { REMARKS } from './remarks.js'
import { spokenBy, type Voice } from './voices.js'
import type { SoundWorld } from './world.js'

/** A made talk: who says what and when is known. */
export interface Talk {
  readonly name: string
  readonly wav: Buffer
  /** Seconds. */
  readonly length: number
  readonly turns: readonly (Turn & { readonly text: string })[]
}

const flite = (name: string, pitch = 1): Voice => ({ by: 'flite', name, pitch })
const pack = (pitch = 1): Voice => ({ by: 'pack', name: 'joe', pitch })
const espeak = (name: string): Voice => ({ by: 'espeak-ng', name })

/** Who speaks in each of the ten talks. */
const CASTS: readonly (readonly Voice[])[] = [
  [flite('slt'), flite('rms')],
  [pack(), flite('slt')],
  [flite('awb'), flite('rms')],
  [pack(), flite('awb')],
  [pack(), espeak('en-gb+f3')],
  [flite('slt'), flite('rms'), pack()],
  [flite('awb'), flite('slt'), pack(1.2)],
  [flite('rms'), flite('awb'), flite('slt', 0.84)],
  [flite('slt'), flite('rms'), flite('awb'), pack()],
  [flite('slt'), flite('rms'), pack(), flite('rms', 1.25)],
]
const TURNS_EACH = 4
const REMARKS_EACH = 2
/** Between two remarks of a turn, and the shortest and longest between two turns, in seconds. */
const BREATH_S = 0.2
const GAPS_S = [0.35, 0.75] as const
const BEGIN_S = 0.5
/** Largest noise of the room, of full scale. */
const ROOM = 0.0008

/** The first of the ten talks of two to four voices; the same each time. */
export async function talks(world: SoundWorld, count: number): Promise<Talk[]> {
  const all: Talk[] = []
  for (const [at, cast] of CASTS.slice(0, count).entries())
    all.push(
      await talk(world, { name: `talk ${String(at + 1)}`, cast, seed: at + 1, enough: (turns) => turns >= cast.length * TURNS_EACH }),
    )
  return all
}

/** A talk of three voices that is as long, in seconds. */
export async function longTalk(world: SoundWorld, seconds: number): Promise<Talk> {
  const cast = [flite('slt'), flite('rms'), flite('awb')]
  return await talk(world, { name: 'a long talk', cast, seed: 99, enough: (_turns, length) => length >= seconds })
}

interface Plan {
  readonly name: string
  readonly cast: readonly Voice[]
  readonly seed: number
  /** Whether so many turns, and so many seconds, are a talk. */
  readonly enough: (turns: number, seconds: number) => boolean
}

async function talk(world: SoundWorld, { name, cast, seed, enough }: Plan): Promise<Talk> {
  const draw = random(seed)
  const parts: Float32Array[] = [silence(BEGIN_S)]
  const turns: (Turn & { text: string })[] = []
  let length = BEGIN_S
  const add = (samples: Float32Array): void => {
    parts.push(samples)
    length += samples.length / RATE
  }
  while (!enough(turns.length, length)) {
    const speaker = nextSpeaker(turns, cast.length, draw)
    const said = draw.several(REMARKS, REMARKS_EACH)
    const from = length
    for (const [at, remark] of said.entries()) {
      if (at > 0) add(silence(BREATH_S))
      add(await spokenBy(world, cast[speaker] ?? flite('slt'), remark))
    }
    turns.push({ speaker, from, to: length, text: said.join(' ') })
    add(silence(GAPS_S[0] + (GAPS_S[1] - GAPS_S[0]) * draw.next()))
  }
  return { name, turns, length, wav: mixed(parts, draw) }
}

/** Everybody speaks once first, then whoever did not speak last. */
function nextSpeaker(turns: readonly Turn[], count: number, draw: Random): number {
  if (turns.length < count) return turns.length
  const last = turns.at(-1)?.speaker
  return draw.pick(Array.from({ length: count }, (_, at) => at).filter((at) => at !== last))
}

function silence(seconds: number): Float32Array {
  return new Float32Array(Math.round(seconds * RATE))
}

function mixed(parts: readonly Float32Array[], draw: Random): Buffer {
  const samples = Buffer.alloc(2 * parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts)
    for (const sample of part) {
      const sum = sample + ROOM * (2 * draw.next() - 1)
      samples.writeInt16LE(Math.round(32_767 * Math.max(-1, Math.min(1, sum))), at)
      at += 2
    }
  return Buffer.concat([wavHeader(samples.length), samples])
}

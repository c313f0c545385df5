import type { SoundOrder } from '../piece.js'
import { partsOf } from './compose.js'
import { chordOn, nearest, scaleKeys, voiced } from './harmony.js'
import type { Plan } from './plan.js'
import type { Note, Score } from './score.js'

const OCTAVE = 12
const CENTRE = 64
const CHANNEL = 1
const FORCE = 92
/** Maximum seconds that the last note of a scale rings. */
const RING = 1.5
/** Indexes of an arpeggio up and down again, above its lowest key. */
const UP_AND_DOWN = [0, 1, 2, 3, 4, 5, 4, 3, 2, 1]

/**
 * Writes a single chord, note, scale or arpeggio for the first instrument of a plan. Times are in seconds: its tempo
 * is 60 beats per minute.
 */
export function figure(plan: Plan, order: SoundOrder): Score {
  const { lead, accompaniment, pad } = plan.cast
  const voice = accompaniment ?? pad ?? lead ?? { program: 0, octave: 0 }
  const shift = OCTAVE * (voice.octave + Math.round(order.modifiers.pitch))
  const velocity = Math.round(Math.max(30, Math.min(127, FORCE + plan.force * 28)))
  const cast = { lead: null, accompaniment: voice, pad: null, bass: null, drums: null }
  const notes = timed(plan, order, shift).map((note): Note => ({ ...note, channel: CHANNEL, velocity }))
  return { bpm: 60, parts: partsOf({ ...plan, cast }, order.modifiers), notes }
}

type Timed = Pick<Note, 'key' | 'start' | 'length'>

function timed(plan: Plan, order: SoundOrder, shift: number): Timed[] {
  const { key, note } = plan
  const { seconds } = order
  if (plan.figure === 'note') return [{ key: note ?? nearest(key.tonic, CENTRE + shift), start: 0, length: seconds }]
  const tonic = nearest(key.tonic, CENTRE - 4 + shift)
  if (plan.figure === 'chord') {
    const chord = chordOn(key, 1, plan.style.chords === 'power' ? 'power' : 'triad')
    return [tonic - OCTAVE, ...voiced(chord, [], CENTRE + shift)].map((each) => ({ key: each, start: 0, length: seconds }))
  }
  if (plan.figure === 'scale') return scale(scaleKeys(key, tonic, tonic + OCTAVE), plan, order)
  return arpeggio(
    chordOn(key, 1, 'triad').tones.map((tone) => tonic + ((tone - key.tonic + OCTAVE) % OCTAVE)),
    plan,
    order,
  )
}

/** Up the scale once; the last note rings. */
function scale(keys: readonly number[], { bpm, given }: Plan, { seconds }: SoundOrder): Timed[] {
  const all = seconds / keys.length
  const step = given ? Math.min(60 / bpm, all) : Math.max(Math.min(0.5, all), (seconds - RING) / keys.length)
  return keys.map((key, index) => ({ key, start: index * step, length: index === keys.length - 1 ? seconds - index * step : step }))
}

/** Eighths up and down, in a whole number. */
function arpeggio(tones: readonly number[], { bpm }: Plan, { seconds }: SoundOrder): Timed[] {
  const count = Math.max(1, Math.round((seconds * bpm) / 30))
  const step = seconds / count
  return Array.from({ length: count }, (_, index) => {
    const place = UP_AND_DOWN[index % UP_AND_DOWN.length] ?? 0
    const key = (tones[place % tones.length] ?? 0) + OCTAVE * Math.floor(place / tones.length)
    return { key, start: index * step, length: step * 1.5 }
  })
}

import { InterpolationTypes, MIDIControllers, SoundBankLoader, SpessaSynthProcessor } from 'spessasynth_core'
import { RATE, type SoundOrder, type Stereo } from '../piece.js'
import { composed } from './compose.js'
import { figure } from './figures.js'
import { planOf } from './plan.js'
import type { Note, Score } from './score.js'

/** Samples rendered at once; envelopes are updated once per block. */
const BLOCK = 128
/** Seconds that notes and reverb ring after a loop; they are added to its start. */
const TAIL = 2
/** Share of a piece for its fade-out, and its maximum seconds. */
const FADE = { share: 0.2, most: 1.2 }
const DRUMS = 9
/** Maximum simultaneous voices; above it the quietest ends. */
const MOST_VOICES = 64

/** Plays a score. The sound font is parsed once; each piece gets its own synthesizer, so that no state remains for the next. */
export type Player = (score: Score, length: { readonly seconds: number; readonly loop: boolean }) => Promise<Stereo>

/**
 * The music requested by a prompt, exactly `seconds` long: the same order and sound font give the same samples. A
 * piece ends with a cadence and fades; a loop has whole beats and continues at its start. Null when no music is
 * requested. `soundfont` is a General MIDI SF2 file.
 */
export async function renderMusic(order: SoundOrder, soundfont: Uint8Array): Promise<Stereo | null> {
  const plan = planOf(order)
  if (plan === null) return null
  const score = plan.figure === 'piece' ? composed(plan, order) : figure(plan, order)
  return await player(soundfont)(score, order)
}

/** Parses a sound font, a General MIDI SF2 file. Throws for any other file. */
export function player(soundfont: Uint8Array): Player {
  const bank = SoundBankLoader.fromArrayBuffer(soundfont.slice().buffer)
  return async (score, { seconds, loop }) => {
    const synth = new SpessaSynthProcessor(RATE, { eventsEnabled: false, maxBufferSize: BLOCK })
    await synth.processorInitialized
    synth.soundBankManager.addSoundBank(bank, 'music')
    // Saves a third of the work without an audible difference: the recordings of sound fonts have 22 to 44 kHz.
    synth.setSystemParameter('interpolationType', InterpolationTypes.linear)
    synth.setSystemParameter('voiceCap', MOST_VOICES)
    for (const { channel, program, volume, pan, reverb } of score.parts) {
      synth.programChange(channel, program)
      synth.controllerChange(channel, MIDIControllers.mainVolume, volume)
      synth.controllerChange(channel, MIDIControllers.pan, pan)
      synth.controllerChange(channel, MIDIControllers.reverbDepth, reverb)
    }
    const total = Math.round(seconds * RATE)
    const made = played(synth, eventsOf(score), loop ? total + TAIL * RATE : total)
    return loop ? wrapped(made, total) : faded(made, Math.min(FADE.most, seconds * FADE.share))
  }
}

interface Event {
  /** Sample position. */
  readonly at: number
  readonly channel: number
  readonly key: number
  /** 0 ends a note. */
  readonly velocity: number
}

/** Note events in order of time, ends first. Drums are struck and not ended. */
function eventsOf({ bpm, notes }: Score): Event[] {
  const sample = (beat: number): number => Math.round((beat * 60 * RATE) / bpm)
  const events = notes.flatMap(({ channel, key, start, length, velocity }: Note): Event[] => {
    const on = { at: sample(start), channel, key, velocity }
    return channel === DRUMS ? [on] : [on, { at: Math.max(on.at + 1, sample(start + length)), channel, key, velocity: 0 }]
  })
  return events.sort((one, other) => one.at - other.at || one.velocity - other.velocity)
}

/** Runs a synthesizer for so many samples; notes start and end at their exact sample. */
function played(synth: SpessaSynthProcessor, events: readonly Event[], length: number): Stereo {
  const [left, right] = [new Float32Array(length), new Float32Array(length)]
  let next = 0
  for (let at = 0; at < length;) {
    for (let event = events[next]; event !== undefined && event.at <= at; event = events[next]) {
      if (event.velocity === 0) synth.noteOff(event.channel, event.key)
      else synth.noteOn(event.channel, event.key, event.velocity)
      next += 1
    }
    const until = Math.min(length, at + BLOCK, events[next]?.at ?? length)
    synth.process(left, right, at, until - at)
    at = until
  }
  return { left, right }
}

/** A loop: the tail after its end is added to its start, repeatedly if the loop is shorter. */
function wrapped({ left, right }: Stereo, length: number): Stereo {
  const turn = (samples: Float32Array): Float32Array => {
    const loop = samples.slice(0, length)
    for (let at = length; at < samples.length; at++) {
      const place = at % length
      loop[place] = (loop[place] ?? 0) + (samples[at] ?? 0)
    }
    return loop
  }
  return { left: turn(left), right: turn(right) }
}

/** Fades the last seconds to silence. */
function faded({ left, right }: Stereo, seconds: number): Stereo {
  const count = Math.min(left.length, Math.round(seconds * RATE))
  const first = left.length - count
  for (let step = 0; step < count; step++) {
    const gain = 0.5 + 0.5 * Math.cos((Math.PI * (step + 1)) / count)
    left[first + step] = (left[first + step] ?? 0) * gain
    right[first + step] = (right[first + step] ?? 0) * gain
  }
  return { left, right }
}

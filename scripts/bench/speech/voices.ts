import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HEAD_BYTES, RATE, samplesAt } from '../../../plugins/transcription/wav.js'
import { speech } from './synthesized.js'
import { made, type SoundWorld } from './world.js'

/** Somebody who speaks: a voice of Flite in FFmpeg, the voice of the pack, or one of eSpeak NG; raised or lowered by a factor as by a tape that runs faster. */
export interface Voice {
  readonly by: 'flite' | 'pack' | 'espeak-ng'
  readonly name: string
  readonly pitch?: number
}

/** All voices are as loud, in dB of full scale. */
const LEVEL_DB = -23
/** Frames of 10 ms at both ends that are this much below the level of the whole are cut off. */
const QUIET_DB = 30
const FRAME = RATE / 100

/** Samples of a text as a voice speaks it, from -1 to 1 at 16,000 a second, from its first sound to its last. */
export async function spokenBy(world: SoundWorld, { by, name, pitch = 1 }: Voice, text: string): Promise<Float32Array> {
  const shift =
    pitch === 1 ? [] : ['-af', `asetrate=${String(Math.round(RATE * pitch))},aresample=${String(RATE)},atempo=${(1 / pitch).toFixed(4)}`]
  const input =
    by === 'flite' ? fliteInput(world, name, text) : by === 'pack' ? await packInput(world, text) : espeakInput(world, name, text)
  // The shift is made of samples at 16,000 a second.
  const plain = made(world.folder, 'plain.wav', ...input)
  const file = shift.length === 0 ? plain : made(world.folder, 'shifted.wav', '-i', plain, ...shift)
  return level(trimmed(samplesIn(readFileSync(join(world.folder, file)))))
}

function fliteInput({ folder }: SoundWorld, voice: string, text: string): string[] {
  writeFileSync(join(folder, 'text.txt'), text)
  return ['-f', 'lavfi', '-i', `flite=textfile=text.txt:voice=${voice}`]
}

async function packInput(world: SoundWorld, text: string): Promise<string[]> {
  const { bytes, format } = await speech(world, text, 'voice')
  writeFileSync(join(world.folder, `spoken.${format}`), bytes)
  return ['-i', `spoken.${format}`]
}

function espeakInput({ folder }: SoundWorld, voice: string, text: string): string[] {
  const { status, stderr } = spawnSync('espeak-ng', ['-v', voice, '-w', 'espeak.wav', text], { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`espeak-ng: ${stderr}`)
  return ['-i', 'espeak.wav']
}

/** Samples of a WAV file of one channel of 16 bits at 16,000 a second. */
export function samplesIn(wav: Buffer): Float32Array {
  const offset = samplesAt(wav.subarray(0, HEAD_BYTES))
  if (offset === null) throw new Error('the sound has another form than it was made in')
  return Float32Array.from({ length: Math.floor((wav.length - offset) / 2) }, (_, at) => wav.readInt16LE(offset + at * 2) / 32_768)
}

function trimmed(samples: Float32Array): Float32Array {
  const least = decibels(samples) - QUIET_DB
  const sounds = (at: number): boolean => decibels(samples.subarray(at, at + FRAME)) > least
  let [from, to] = [0, Math.floor(samples.length / FRAME) * FRAME]
  while (from < to && !sounds(from)) from += FRAME
  while (to > from && !sounds(to - FRAME)) to -= FRAME
  return samples.subarray(from, to)
}

function level(samples: Float32Array): Float32Array {
  const factor = 10 ** ((LEVEL_DB - decibels(samples)) / 20)
  return samples.map((sample) => sample * factor)
}

function decibels(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return sum === 0 ? -Infinity : 10 * Math.log10(sum / samples.length)
}

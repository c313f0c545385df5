import { statSync } from 'node:fs'
import { join } from 'node:path'
import { markPeak, peakMib, residentMib } from '../../gateway/process.js'
import { enginesBelow, processesBelow } from '../engines.js'
import { row, type Say } from '../files/figure.js'
import { longTalk } from './talks.js'
import { ffmpeg, transcript, withSpeech, written, type SpeechWorld } from './world.js'

const MIB = 1024 * 1024
const FILM_MIB = 500
/** Pictures of 320 x 240 as they are, 25 a second: 115,200 bytes each. */
const SIZE = '320x240'
const FRAME_BYTES = 115_200
const FRAMES_A_SECOND = 25
const SPEECH_S = 60
const EVERY_MS = 500

/** Memory of the gateway while a film of 500 MiB with speech is written down. */
export async function benchFilm(say: Say): Promise<void> {
  await withSpeech({}, async (world) => {
    const talk = await longTalk(world, SPEECH_S)
    const sound = written(world.folder, 'speech.wav', talk.wav)
    const film = filmOf(world.folder, sound)
    // What is loaded once is loaded then: the engine, and what reads files.
    await transcript(world, sound)
    const before = residentMib(world.pid)
    markPeak(world.pid)
    const beside = new MostBeside(world)
    const text = await transcript(world, film)
    const most = beside.stop()
    if (text === '') throw new Error('no words were recognised in the film')
    const size = `${(statSync(join(world.folder, film)).size / MIB).toFixed(0)} MiB`
    say(row(`memory of the gateway above that before, a film of ${size}`, peakMib(world.pid) - before, { most: 60, unit: 'MiB' }))
    say(row('memory of other programs below it without the engine, at most', most, { unit: 'MiB' }))
  })
}

/** A film whose pictures are stored as they are, so that it is as large as it seems, and as short as it may be. */
function filmOf(folder: string, sound: string): string {
  const seconds = String(Math.ceil((FILM_MIB * MIB) / FRAME_BYTES / FRAMES_A_SECOND))
  const pictures = ['-f', 'lavfi', '-i', `testsrc2=size=${SIZE}:rate=${String(FRAMES_A_SECOND)}`]
  const codecs = ['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', '-c:a', 'pcm_s16le']
  ffmpeg(folder, [...pictures, '-stream_loop', '-1', '-i', sound, '-t', seconds, ...codecs, 'film.mkv'])
  return 'film.mkv'
}

/** The most memory that programs below a gateway held at one time, in MiB, without the gateway and engines. */
class MostBeside {
  #most = 0
  readonly #timer: NodeJS.Timeout

  constructor({ pid }: SpeechWorld) {
    this.#timer = setInterval(() => {
      const engines = new Set(enginesBelow(pid).map((engine) => engine.pid))
      const others = processesBelow(pid).filter((each) => each.pid !== pid && !engines.has(each.pid))
      const held = others.reduce((sum, { mib }) => sum + mib, 0)
      this.#most = Math.max(this.#most, held)
    }, EVERY_MS)
  }

  stop(): number {
    clearInterval(this.#timer)
    return this.#most
  }
}

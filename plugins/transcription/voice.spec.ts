import { expect } from 'chai'
import readLevels from './parse/levels.js'
import { cpuOf } from '../../test/support/time.js'
import { isSilent, pausesIn } from './pauses.js'
import { RATE } from './wav.js'

const SECONDS = 6
/** 16-bit samples of a signal, by time in seconds. */
function samples(signal: (time: number) => number, seconds = SECONDS): Uint8Array {
  const bytes = Buffer.alloc(seconds * RATE * 2)
  for (let at = 0; at < seconds * RATE; at++) bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, signal(at / RATE))) * 32_000), at * 2)
  return bytes
}

/** The same noise each time. */
function noise(): () => number {
  let state = 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 1_073_741_824 - 1
  }
}

/** A pulse source with gliding pitch and syllables: the common properties of voices in all languages. */
function voice({ syllables = true } = {}): (time: number) => number {
  let phase = 0
  return (time) => {
    const pitch = 120 + 30 * Math.sin(2 * Math.PI * 0.9 * time)
    phase += pitch / RATE
    const pulse = Array.from({ length: 10 }, (_, at) => Math.sin(2 * Math.PI * (at + 1) * phase) / (at + 1)).reduce(
      (sum, each) => sum + each,
      0,
    )
    return 0.25 * pulse * (syllables ? Math.max(0, Math.sin(2 * Math.PI * 2 * time)) ** 0.5 : 1)
  }
}

const tone = (pitch: number) => (time: number): number => 0.4 * Math.sin(2 * Math.PI * pitch * time) // prettier-ignore

describe('what a recording sounds like', function () {
  this.timeout(30_000)

  it('a voice is distinguished from noise, tones, notes and drums', () => {
    const random = noise()
    const notes = (time: number): number => Math.exp(-3 * (time % 0.5)) * tone(220 * 2 ** (((Math.floor(time * 2) * 7) % 12) / 12))(time)
    expect(readLevels(samples(voice())).voiced, 'voice').to.equal(3)
    expect(readLevels(samples(() => 0.3 * random())).voiced, 'noise').to.equal(0)
    expect(readLevels(samples((time) => 0.3 * random() * (1 + Math.sin(8 * Math.PI * time)))).voiced, 'noise in waves').to.equal(0)
    expect(readLevels(samples(tone(440))).voiced, 'tone').to.equal(0)
    expect(readLevels(samples((time) => tone(200)(time) * Math.sin(4 * Math.PI * time))).voiced, 'tone in waves').to.equal(0)
    expect(readLevels(samples(notes)).voiced, 'notes').to.equal(0)
    expect(readLevels(samples((time) => 0.5 * random() * Math.exp(-20 * (time % 0.25)))).voiced, 'drums').to.equal(0)
  })

  it('a voice is found where its only sound lies across the edge of two seconds', () => {
    const short = (sound: (time: number) => number): Uint8Array => {
      const random = noise()
      return samples((time) => (time > 1.88 && time < 2.12 ? sound(time) : 0.001 * random()))
    }
    expect(readLevels(short(voice({ syllables: false }))).voiced, 'voice').to.equal(1)
    expect(readLevels(short(tone(300))).voiced, 'tone').to.equal(0)
  })

  it('levels are those of 20 ms in dB of full scale', () => {
    const { levels } = readLevels(samples((time) => (time < 1 ? Math.sin(2 * Math.PI * 500 * time) : 0), 2))
    expect(levels).to.have.length(100)
    expect([levels[10], levels[90]]).to.deep.equal([-3, -99])
  })

  it('a recording is silent without sound, also with the least bit of noise', () => {
    const random = noise()
    expect(isSilent(readLevels(samples(() => 0)).levels)).to.equal(true)
    expect(isSilent(readLevels(samples(() => 0.0005 * random())).levels)).to.equal(true)
    expect(isSilent(readLevels(samples((time) => (time > 5.9 ? tone(300)(time) : 0))).levels)).to.equal(false)
  })

  it('pauses are found in noise of any level, and none where nobody pauses', () => {
    for (const level of [0, 0.002, 0.02]) {
      const random = noise()
      const speech = voice()
      const { levels } = readLevels(samples((time) => (time > 2 && time < 3.5 ? 0 : speech(time) + 0.05 * random()) + level * random()))
      const longest = pausesIn(levels).reduce((best, pause) => (pause.end - pause.start > best.end - best.start ? pause : best), {
        start: 0,
        end: 0,
      })
      expect(longest.start, String(level)).to.be.closeTo(2, 0.15)
      expect(longest.end, String(level)).to.be.closeTo(3.5, 0.15)
    }
    expect(pausesIn(readLevels(samples(tone(300))).levels)).to.deep.equal([])
  })

  it('finds the pauses of four hours in 0.1 s of processor time', async () => {
    const random = noise()
    const levels = Array.from({ length: 4 * 3_600 * 50 }, (_, at) => (at % 500 < 40 ? -90 : Math.round(-40 + 20 * random())))
    let pauses = 0
    const took = await cpuOf(() => {
      pauses = pausesIn(levels).length
    })
    expect(pauses).to.equal(1_440)
    expect(took).to.be.at.most(100)
  })

  it('measures a minute of anything in 0.5 s of processor time', () => {
    const random = noise()
    const minute = samples(() => 0.3 * random(), 60)
    const before = process.cpuUsage()
    readLevels(minute)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).to.be.at.most(500)
  })
})

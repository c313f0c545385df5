import { expect } from 'chai'
import { RATE, type Stereo } from '../piece.js'
import { Random } from '../synth/random.js'
import { faded, looped, overlapOf, wrapped } from './ends.js'
import { levelled, loudnessOf, peakOf, TARGET } from './loudness.js'
import { pcmOf, wavOf } from './pcm.js'
import { resampled } from './resample.js'

const sine = (hertz: number, seconds: number, { rate = RATE, gain = 1 } = {}): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, at) => gain * Math.sin((2 * Math.PI * hertz * at) / rate))
const noise = (frames: number, seed = 1): Float32Array => {
  const random = new Random(seed)
  return Float32Array.from({ length: frames }, () => random.signed() * 0.3)
}
const power = (samples: Float32Array): number => samples.reduce((sum, each) => sum + each * each, 0) / samples.length

describe('loudness', () => {
  // EBU Tech 3341, cases 1 and 2: a stereo tone of 1 kHz at -23 and -33 dBFS.
  for (const [level, rate] of [
    [-23, 48_000],
    [-33, 48_000],
    [-23, 44_100],
    [-23, 16_000],
  ] as const)
    it(`of a stereo tone of 1 kHz at ${String(level)} dBFS is ${String(level)} LUFS at ${String(rate)} samples a second`, () => {
      const tone = sine(1_000, 3, { rate, gain: 10 ** (level / 20) })
      expect(loudnessOf([tone, tone], rate)).to.be.closeTo(level, 0.1)
    })

  it('leaves silence around a sound out, as case 3 of EBU Tech 3341 has it', () => {
    const at = (level: number, seconds: number): number[] => [...sine(1_000, seconds, { rate: 16_000, gain: 10 ** (level / 20) })]
    const whole = Float32Array.from([...at(-36, 2), ...at(-23, 20), ...at(-36, 2)])
    expect(loudnessOf([whole, whole], 16_000)).to.be.closeTo(-23, 0.1)
  })

  it('of silence is none, and of less than a block is that of what there is', () => {
    expect(loudnessOf([new Float32Array(RATE)], RATE)).to.equal(-Infinity)
    const short = sine(1_000, 0.2, { gain: 0.1 })
    expect(loudnessOf([short, short], RATE)).to.be.closeTo(-20, 0.3)
  })

  it('is brought to -23 LUFS by a gain alone where there is room', () => {
    const [left, right] = [noise(2 * RATE), noise(2 * RATE, 2)]
    const ratio = (left[100] ?? 0) / (left[200] ?? 1)
    expect(levelled([left, right], RATE)).to.equal(TARGET)
    expect(loudnessOf([left, right], RATE)).to.be.closeTo(TARGET, 0.05)
    expect((left[100] ?? 0) / (left[200] ?? 1)).to.be.closeTo(ratio, 1e-4)
  })

  it('is brought to -23 LUFS with peaks below -1 dBFS where a sound is short and sharp', () => {
    const blow = new Float32Array(RATE)
    blow.set(sine(900, 0.02, { gain: 0.5 }), 1_000)
    expect(levelled([blow], RATE)).to.be.closeTo(TARGET, 1)
    expect(peakOf(blow)).to.be.at.most(0.891)
  })

  it('of silence stays silence', () => {
    expect(levelled([new Float32Array(RATE)], RATE)).to.equal(-Infinity)
  })
})

describe('another rate', () => {
  for (const to of [16_000, 22_050, 48_000])
    it(`of ${String(to)} keeps a tone where it is, as loud as it is`, () => {
      const made = resampled(sine(1_000, 1), { from: RATE, to, frames: to, round: false })
      const wanted = sine(1_000, 1, { rate: to })
      expect(made).to.have.length(to)
      for (let at = 500; at < to - 500; at += 97) expect(made[at]).to.be.closeTo(wanted[at] ?? 0, 0.002)
    })

  it('lets nothing through that it cannot hold', () => {
    const made = resampled(sine(10_000, 1), { from: RATE, to: 16_000, frames: 16_000, round: false })
    expect(power(made.subarray(500, -500))).to.be.below(1e-7)
  })

  it('of a loop has no edge where it begins anew', () => {
    const made = resampled(sine(100, 1), { from: RATE, to: 16_000, frames: 16_000, round: true })
    expect(made[0]).to.be.closeTo(0, 0.002)
    expect(made[15_999]).to.be.closeTo(-Math.sin((2 * Math.PI * 100) / 16_000), 0.002)
  })
})

describe('ends', () => {
  const twice = (samples: Float32Array): Stereo => ({ left: samples, right: samples.slice() })

  it('rise from silence and fall to it', () => {
    const sound = twice(new Float32Array(RATE).fill(0.5))
    faded(sound)
    expect([sound.left[0], sound.left[RATE / 2], sound.left[RATE - 1]]).to.deep.equal([0, 0.5, 0])
  })

  it('of a loop of noise are as loud as the rest and as near as any two samples', () => {
    const frames = 4 * RATE
    const made = looped(twice(noise(frames + overlapOf(4))), frames)
    expect(made.left).to.have.length(frames)
    const [whole, seam] = [power(made.left), power(made.left.subarray(0, overlapOf(4)))]
    expect(10 * Math.log10(seam / whole)).to.be.closeTo(0, 0.3)
  })

  it('of a loop of a tone neither swell nor break', () => {
    const frames = 2 * RATE
    const made = looped(twice(sine(220, 2 + overlapOf(2) / RATE)), frames)
    for (let at = 0; at < RATE; at += 53) expect(made.left[at]).to.be.closeTo(Math.sin((2 * Math.PI * 220 * at) / RATE), 0.01)
    expect(Math.abs((made.left[0] ?? 0) - (made.left[frames - 1] ?? 0))).to.be.below(0.04)
  })

  it('of a struck loop ring on into the beginning', () => {
    const made = wrapped(twice(Float32Array.from([1, 2, 3, 4, 5, 6, 7])), 3)
    expect([...made.left]).to.deep.equal([1 + 4 + 7, 2 + 5, 3 + 6])
  })
})

describe('samples of 16 bit', () => {
  it('stand by turns, little-endian, and never beyond full scale', () => {
    const bytes = pcmOf([Float32Array.from([0, 1, 2]), Float32Array.from([-1, -2, 0.5])])
    const view = new DataView(bytes.buffer)
    expect(Array.from({ length: 6 }, (_, at) => view.getInt16(at * 2, true))).to.deep.equal([0, -32_767, 32_767, -32_767, 32_767, 16_384])
  })

  it('are a WAV file with its header', () => {
    const wav = Buffer.from(wavOf([Float32Array.from([0, 0.5])], 22_050))
    expect([wav.toString('latin1', 0, 4), wav.readUInt32LE(4), wav.toString('latin1', 8, 16)]).to.deep.equal([
      'RIFF',
      wav.length - 8,
      'WAVEfmt ',
    ])
    const fields = [
      wav.readUInt16LE(20),
      wav.readUInt16LE(22),
      wav.readUInt32LE(24),
      wav.readUInt32LE(28),
      wav.readUInt16LE(32),
      wav.readUInt16LE(34),
    ]
    expect(fields).to.deep.equal([1, 1, 22_050, 44_100, 2, 16])
    expect([wav.toString('latin1', 36, 40), wav.readUInt32LE(40)]).to.deep.equal(['data', 4])
  })
})

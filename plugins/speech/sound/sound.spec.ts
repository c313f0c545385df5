import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../core/runtime/root.js'
import { leastCpuOf } from '../../../test/support/time.js'
import { joined, mono } from './join.js'
import { readMp3 } from './mp3.js'
import { isCutWav, readWav, writeWav } from './wav.js'

const file = (name: string): Buffer => readFileSync(join(packageRoot(), 'plugins/speech/fixtures/files', name))
/** A loud square wave, which starts and ends with an edge. */
const square = (length: number): Int16Array => Int16Array.from({ length }, (_, at) => (at % 20 < 10 ? 20_000 : -20_000))

describe('sounds', () => {
  it('are read from WAV as they were written', () => {
    const samples = Int16Array.from([0, 1, -1, 32_767, -32_768])
    const wav = readWav(writeWav({ rate: 22_050, samples }))
    expect(wav).to.deep.equal({ rate: 22_050, channels: 1, samples, sized: true })
  })

  it('are read from WAV at an odd place in memory, behind other chunks, and without sizes', () => {
    const plain = Buffer.from(writeWav({ rate: 16_000, samples: square(100) }))
    const list = Buffer.concat([Buffer.from('LIST'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')])
    const withList = Buffer.concat([plain.subarray(0, 36), list, plain.subarray(36)])
    const odd = Buffer.concat([Buffer.from([0]), withList]).subarray(1)
    expect(readWav(odd)?.samples).to.deep.equal(square(100))
    for (const size of [0, 0x7fff_f000, 0xffff_ffff]) {
      const piped = Buffer.from(plain)
      piped.writeUInt32LE(size, 40)
      expect(readWav(piped), String(size)).to.deep.include({ rate: 16_000, samples: square(100), sized: false })
    }
  })

  it('are no WAV when cut short, of floats, without samples, or something else', () => {
    const plain = Buffer.from(writeWav({ rate: 16_000, samples: square(100) }))
    const floats = Buffer.from(plain)
    floats.writeUInt16LE(3, 20)
    const rateless = Buffer.from(plain)
    rateless.writeUInt32LE(0, 24)
    const nothing = writeWav({ rate: 16_000, samples: new Int16Array() })
    for (const bytes of [
      plain.subarray(0, 100),
      plain.subarray(0, 43),
      floats,
      rateless,
      nothing,
      Buffer.from('RIFF'),
      Buffer.alloc(100),
      file('speech.mp3'),
    ])
      expect(readWav(bytes)).to.equal(null)
  })

  it('are known to be cut short by the size in their header', () => {
    const plain = Buffer.from(writeWav({ rate: 16_000, samples: square(100) }))
    const piped = Buffer.from(plain)
    piped.writeUInt32LE(0xffff_ffff, 4)
    expect([plain, plain.subarray(0, 100), piped.subarray(0, 100), Buffer.from('RIFF'), file('speech.mp3')].map(isCutWav)).to.deep.equal([
      ...[false, true, false, false, false],
    ])
  })

  it('are read from MP3 by their frames, behind a tag and stray bytes', () => {
    expect(readMp3(file('speech.mp3'))).to.deep.include({ rate: 44_100, frames: 7, seconds: (7 * 1_152) / 44_100 })
    expect(readMp3(file('speech-22050.mp3'))).to.deep.include({ rate: 22_050, frames: 8, seconds: (8 * 576) / 22_050 })
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 2, ...new Array<number>(130).fill(0xff)])
    expect(readMp3(Buffer.concat([tag, file('speech.mp3')]))?.frames).to.equal(7)
    expect(readMp3(Buffer.concat([Buffer.alloc(50), file('speech.mp3')]))?.frames).to.equal(7)
  })

  it('of MP3 are silent when no frame holds anything, and not when one channel alone does', () => {
    expect(readMp3(file('speech.mp3'))?.filled).to.equal(1)
    expect(readMp3(file('silence.mp3'))?.filled).to.equal(0)
    // Joint stereo: 32 bytes of side information, of which only the first channel's lengths are set.
    const frame = Buffer.alloc(417)
    frame.set([0xff, 0xfb, 0x90, 0x44, 0, 0, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x40], 0)
    const filled = readMp3(Buffer.concat([frame, frame, frame]))?.filled ?? 0
    expect(filled).to.be.within(0.2, 0.5)
  })

  it('are no MP3 when there are no frames, however long and hostile the bytes', () => {
    const many = Buffer.alloc(4 * 1024 * 1024, 0xff)
    const looksLike = Buffer.alloc(4 * 1024 * 1024)
    for (let at = 0; at + 4 < looksLike.length; at += 5) looksLike.set([0xff, 0xfb, 0x90, 0], at)
    const all = [Buffer.alloc(0), Buffer.from('ID3'), many, looksLike, file('speech.wav'), Buffer.from('<html>')]
    const took = leastCpuOf(200, () => {
      for (const bytes of all) expect(readMp3(bytes)).to.equal(null)
    })
    expect(took).to.be.below(200)
  })

  it('are joined with silence between them and without an edge', () => {
    const parts = [square(8_000), square(4_000), square(800)].map((samples, at) => ({ rate: 8_000, samples, endsParagraph: at === 1 }))
    const { rate, samples } = joined(parts)
    expect([rate, samples.length]).to.deep.equal([8_000, 8_000 + 2_000 + 4_000 + 4_000 + 800])
    expect([samples[0], samples[7_999], samples[10_000], samples.at(-1)]).to.deep.equal([0, 0, 0, 0])
    expect([...samples.subarray(8_000, 10_000)].every((sample) => sample === 0)).to.equal(true)
    // Within the five milliseconds of an edge it rises gradually; after them it is unchanged.
    expect(Math.abs(samples[4] ?? 0)).to.be.below(2_500)
    expect([...samples.subarray(40, 7_960)]).to.deep.equal([...square(8_000).subarray(40, 7_960)])
    expect([...square(8_000)]).to.deep.equal([...(parts[0]?.samples ?? [])])
  })

  it('of different rates are not joined, and of two channels the first is taken', () => {
    const of = (rate: number) => ({ rate, samples: square(100), endsParagraph: false })
    expect(() => joined([of(8_000), of(16_000)])).to.throw(RangeError)
    expect(() => joined([])).to.throw(RangeError)
    expect([...mono({ rate: 8_000, channels: 2, samples: Int16Array.from([1, 9, 2, 9]) }).samples]).to.deep.equal([1, 2])
  })
})

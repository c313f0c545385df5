import { expect } from 'chai'
import { cpuOf } from '../../../test/support/time.js'
import { fits, peek, type Peek } from './shape.js'
import { FORMATS } from './table.js'

/** Bytes of a file that are searched for its text. */
const HEAD = 64 * 1024
const LIMIT_MS = 10
const TRIES = 5

const seenOf = (period: string): Peek => {
  const head = Buffer.from(period.repeat(Math.floor(HEAD / period.length)), 'latin1')
  return { head, tail: head, size: head.length, found: new Set() }
}

/** Text formats that exceed the time limit for a file of this period, each with its time. */
async function slowOver(period: string): Promise<string[]> {
  const seen = seenOf(period)
  const slow: string[] = []
  for (const { id, is } of FORMATS) {
    if (is.text === undefined || is.text === true) continue
    let least = Infinity
    for (let n = 0; n < TRIES && least > LIMIT_MS; n++)
      least = Math.min(least, await cpuOf(() => fits({ text: is.text ?? true }, seen, { complete: false })))
    if (least > LIMIT_MS) slow.push(`${id} for ${JSON.stringify(period)}: ${least.toFixed(1)} ms`)
  }
  return slow
}

describe('files that are no text of their format', () => {
  it('A3 a file of line breaks, or of any other character, is refused by each text format within 10 ms', async function () {
    this.timeout(30_000)
    const characters = ['\n', '\r', '\t', ' ', '\x0b', '\x0c', '\xa0', '\x85', '#', '@', '0', '<', '[', '{', ':', 'a', '-', '!', '%']
    expect(FORMATS.filter(({ is }) => is.text instanceof RegExp).length).to.be.above(20)
    for (const character of characters) expect(await slowOver(character)).to.deep.equal([])
  })

  it('A3 so is one of two characters, or of the beginning of what the formats look for', async function () {
    this.timeout(30_000)
    for (const period of ['\r\n', '\n\t', '\n ', '@0', '\n@', '{0', '[0', '<a:', '0:', '0:00:00', '<!--', '<?xml ', '\\', '[a'])
      expect(await slowOver(period)).to.deep.equal([])
  })

  it('subtitles of JACOsub are known by a line that begins behind blanks, not by blanks', () => {
    const jss = FORMATS.find(({ id }) => id === 'jss')?.is ?? {}
    for (const text of ['#TIMERES 30\n', '\n\n \t@30 @60 D words\n', 'x\r\n0:00:01.00 0:00:02.00 D words\r\n'])
      expect(fits(jss, seenOf(text), { complete: false }), text).to.equal(true)
    for (const text of ['\n \n', 'words #\n', '\n x @30\n']) expect(fits(jss, seenOf(text), { complete: false }), text).to.equal(false)
  })

  it('the last MiB of a file is kept whole, and what stands across two pieces of it is found', async () => {
    const pieces = async function* (sizes: readonly number[]): AsyncGenerator<Uint8Array> {
      for (const [n, size] of sizes.entries()) yield await Promise.resolve(Buffer.alloc(size, n + 1))
      yield Buffer.from('Ca')
      yield Buffer.from('tal')
      yield Buffer.from('og and more')
    }
    for (const sizes of [
      [10, 20],
      [1024 * 1024],
      [600_000, 600_000, 600_000],
      [5, 2 * 1024 * 1024, 7],
      Array.from({ length: 300 }, () => 5_000),
    ]) {
      const all: Uint8Array[] = []
      for await (const piece of pieces(sizes)) all.push(piece)
      const whole = Buffer.concat(all)
      const { head, tail, size, found } = await peek(pieces(sizes), ['Catalog', 'Catalogue', 'more'])
      expect(size).to.equal(whole.length)
      expect(head.equals(whole.subarray(0, HEAD)), 'head').to.equal(true)
      expect(tail.equals(whole.subarray(-1024 * 1024)), 'tail').to.equal(true)
      expect([...found].sort()).to.deep.equal(['Catalog', 'more'])
    }
  })
})

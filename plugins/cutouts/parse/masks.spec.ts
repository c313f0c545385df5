import { expect } from 'chai'
import sharp from 'sharp'
import { restoresLoaders } from '../../../test/support/picture-loaders.js'
import apply from './apply.js'
import flat from './flat.js'
import { cutOut } from './foreground.js'
import { distance, LabTables } from './lab.js'
import { fitted } from './matte.js'
import type { Pixels } from './picture.js'
import { resultSize } from './picture.js'
import { boxMean, planeOf, resized } from './planes.js'
import { groundOf } from './uniform.js'

const SIDE = 96
/** A picture of a red disc on blue, and the distance of a pixel from its centre. */
const far = (index: number, side = SIDE): number => Math.hypot((index % side) - side / 2, Math.floor(index / side) - side / 2)
function disc(radius = 30): Pixels {
  const data = new Uint8Array(SIDE * SIDE * 4)
  for (let index = 0; index < SIDE * SIDE; index++) data.set(far(index) < radius ? [200, 30, 20, 255] : [20, 60, 200, 255], index * 4)
  return { data, width: SIDE, height: SIDE }
}
/** The same disc as a model's mask: 24 x 24, blurred over several pixels. */
const coarse = (radius = 30) =>
  boxMean(
    planeOf(24, 24, (index) => (far(index, 24) * 4 < radius ? 1 : 0)),
    2,
  )
const edge = (colour: (index: number) => readonly number[]): Pixels => {
  const data = new Uint8Array(SIDE * SIDE * 4)
  for (let index = 0; index < SIDE * SIDE; index++) data.set([...colour(index), 255], index * 4)
  return { data, width: SIDE, height: SIDE }
}

describe('cutouts: masks', () => {
  restoresLoaders()
  it('the mean of a square is that of the part of it inside the picture, for any radius', () => {
    const plane = planeOf(5, 4, (index) => index)
    expect(boxMean(plane, 1).data[0]).to.equal((0 + 1 + 5 + 6) / 4)
    expect(boxMean(plane, 1).data[6]).to.equal(6)
    for (const mean of boxMean(plane, 50).data) expect(mean).to.be.closeTo(9.5, 1e-5)
  })

  it('a plane keeps its corners and its mean in another size', () => {
    const plane = planeOf(8, 8, (index) => index % 8)
    const large = resized(plane, 40, 24)
    expect([large.data[0], large.data[39], large.width, large.height]).to.deep.equal([0, 7, 40, 24])
    expect(large.data.reduce((sum, value) => sum + value, 0) / large.data.length).to.be.closeTo(3.5, 0.01)
  })

  it('a coarse mask is fitted to the edge that the colours have', () => {
    const alpha = fitted(coarse(), disc())
    let wrong = 0
    for (let index = 0; index < SIDE * SIDE; index++) if ((alpha[index] ?? 0) >= 128 !== far(index) < 30) wrong++
    const blurred = resized(coarse(), SIDE, SIDE).data
    let before = 0
    for (let index = 0; index < SIDE * SIDE; index++) if ((blurred[index] ?? 0) >= 0.5 !== far(index) < 30) before++
    expect(wrong).to.be.lessThan(before)
    expect(wrong / (SIDE * SIDE)).to.be.lessThan(0.01)
  })

  it('half transparent pixels get the colour of the subject, and alpha is times that of the picture', () => {
    const pixels = disc()
    // A pixel of the edge that is half of each.
    const at = 48 * SIDE + 78
    pixels.data.set([110, 45, 110, 128], at * 4)
    const alpha = Uint8Array.from({ length: SIDE * SIDE }, (_, index) => (index === at ? 128 : far(index) < 30 ? 255 : 0))
    const { data } = cutOut(pixels, alpha)
    const [red = 0, , blue = 0, opaque] = data.subarray(at * 4, at * 4 + 4)
    expect([red > 180, blue < 50, opaque]).to.deep.equal([true, true, 64])
  })

  it('distances of colours are those of Lab: black and white are 100 apart, what eyes do not tell apart less than 1', () => {
    const tables = new LabTables()
    expect(distance(tables.of(0, 0, 0), tables.of(255, 255, 255))).to.be.closeTo(100, 0.1)
    expect(distance(tables.of(200, 100, 50), tables.of(201, 100, 50))).to.be.lessThan(1)
    const [l, a, b] = tables.of(255, 0, 0)
    expect([l, a, b].map(Math.round)).to.deep.equal([53, 80, 67])
  })

  it('an edge is of one colour with noise and a subject that reaches it, and is not with a gradient or two colours', () => {
    const tables = new LabTables()
    const noisy = edge((index) => [200 + (index % 3), 210, 220 - (index % 2)])
    expect(groundOf(noisy, tables)?.rgb).to.deep.equal([201, 210, 220])
    const reached = edge((index) =>
      index >= SIDE * (SIDE - 10) && index % SIDE > 20 && index % SIDE < 75 ? [20, 20, 20] : [240, 240, 240],
    )
    expect(groundOf(reached, tables)?.rgb).to.deep.equal([240, 240, 240])
    expect(
      groundOf(
        edge((index) => [Math.round(((index % SIDE) / SIDE) * 255), 90, 90]),
        tables,
      ),
    ).to.equal(null)
    expect(
      groundOf(
        edge((index) => (index % SIDE < SIDE / 2 ? [255, 255, 255] : [0, 90, 0])),
        tables,
      ),
    ).to.equal(null)
  })

  it('the size of a result is that of the source up to its limit, with the same ratio', () => {
    const wanted = (size: 'auto' | 'preview' | 'full', format: 'png' | 'webp' = 'png') => ({ size, format })
    expect(resultSize({ width: 4000, height: 2000 }, wanted('auto'))).to.deep.equal({ width: 4000, height: 2000 })
    const auto = resultSize({ width: 8000, height: 4000 }, wanted('auto'))
    expect(auto.width * auto.height).to.be.within(9_990_000, 10_000_000)
    expect(auto.width / auto.height).to.be.closeTo(2, 0.001)
    expect(resultSize({ width: 8000, height: 4000 }, wanted('full'))).to.deep.equal({ width: 8000, height: 4000 })
    expect(resultSize({ width: 20_000, height: 100 }, wanted('full', 'webp')).width).to.equal(16_383)
    expect(resultSize({ width: 1000, height: 1000 }, wanted('preview'))).to.deep.equal({ width: 500, height: 500 })
  })

  it('a mask that does not decide, that has nothing and that has all is no result', async () => {
    const picture = await sharp(disc().data, { raw: { width: SIDE, height: SIDE, channels: 4 } })
      .png()
      .toBuffer()
    const given = { size: 'auto', format: 'png', side: 24 } as const
    const bytes = (value: (index: number) => number) => Uint8Array.from({ length: 24 * 24 }, (_, index) => value(index))
    expect((await apply([picture, bytes((index) => (far(index, 24) < 7 ? 255 : 0))], given)).result).to.deep.equal({
      width: SIDE,
      height: SIDE,
    })
    for (const mask of [bytes(() => 0), bytes(() => 255), bytes((index) => (far(index, 24) < 7 ? 140 : 0))])
      expect((await apply([picture, mask], given)).result).to.equal(null)
  })

  it('what JPEG leaves of an edge in the background beside it is background too', async () => {
    const [width, height, radius] = [400, 300, 90]
    const isOutside = (index: number, beyond: number): boolean =>
      Math.hypot((index % width) - 200, Math.floor(index / width) - 150) > beyond
    const drawn = new Uint8Array(width * height * 3)
    for (let index = 0; index < width * height; index++) drawn.set(isOutside(index, radius) ? [223, 232, 239] : [181, 72, 47], index * 3)
    const jpeg = await sharp(drawn, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 80 })
      .toBuffer()
    const { data } = await flat([jpeg], { size: 'auto', format: 'png' })
    if (data === undefined) throw new Error('no result')
    const alpha = await sharp(data).extractChannel(3).raw().toBuffer()
    expect([...alpha].filter((value, index) => value > 0 && isOutside(index, radius + 4))).to.have.lengthOf.at.most(8)
    expect([...alpha].every((value, index) => value === 255 || isOutside(index, radius - 4))).to.equal(true)
  })

  it('a subject that fades into the background is left to the next vendor, and one with a faint part is not', async () => {
    const [width, height] = [400, 300]
    // A dark disc on black; `faint` is the share of its edge close to the background.
    const fading = async (faint: number): Promise<Buffer> => {
      const drawn = new Uint8Array(width * height * 3)
      for (let index = 0; index < width * height; index++) {
        const [x, y] = [(index % width) - 200, Math.floor(index / width) - 150]
        const inside = Math.hypot(x, y) <= 90
        const turn = Math.atan2(y, x) / (2 * Math.PI) + 0.5
        const grey = turn < faint ? 44 - Math.hypot(x, y) * 0.1 : 120
        drawn.fill(inside ? Math.round(grey) : 32, index * 3, index * 3 + 3)
      }
      return await sharp(drawn, { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer()
    }
    const cut = async (faint: number): Promise<unknown> => (await flat([await fading(faint)], { size: 'auto', format: 'png' })).result
    expect(await cut(0)).to.deep.equal({ width, height })
    expect(await cut(0.03)).to.deep.equal({ width, height })
    expect(await cut(0.3)).to.equal(null)
  })
})

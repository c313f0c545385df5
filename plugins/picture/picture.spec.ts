import { expect } from 'chai'
import fc from 'fast-check'
import sharp from 'sharp'
import { restoresLoaders } from '../../test/support/picture-loaders.js'
import type { MakeInput, Step } from './contract.js'
import { coloursOf } from './parse/colours.js'
import look from './parse/look.js'
import make from './parse/make.js'
import { resized } from './parse/size.js'

const RED = '#ff0000'
const BLUE = '#0000ff'
const USUAL = { quality: null, lossless: false, progressive: false, keep_metadata: false, page: 0, animated: false, upright: true } as const

/** Left half red, right half blue. */
async function halves(width = 40, height = 20): Promise<Buffer> {
  const right = { create: { width: width / 2, height, channels: 3 as const, background: BLUE } }
  return sharp({ create: { width, height, channels: 3, background: RED } })
    .composite([{ input: right, left: width / 2, top: 0 }])
    .png()
    .toBuffer()
}

async function made(bytes: Buffer, steps: readonly Step[], more: Partial<MakeInput> = {}, others: readonly Buffer[] = []) {
  const [file, ...rest] = [bytes, ...others].map((each, at) => ({ id: at.toString(16).padStart(32, '0'), size: each.length }))
  if (file === undefined) throw new Error('no file')
  const input: MakeInput = { ...USUAL, file, format: 'png', steps: [...steps], ...more }
  const { result, data } = await make([bytes, ...others], { input, ids: [file, ...rest].map(({ id }) => id) })
  return { ...result, bytes: Buffer.from(data) }
}

const second = { id: '1'.padStart(32, '0'), size: 0 }

/** Colours of pixels as #rrggbb, or #rrggbbaa when they are not opaque. */
async function pixels(bytes: Buffer, ...places: readonly (readonly [number, number])[]): Promise<string[]> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return places.map(([x, y]) => {
    const hex = data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4).toString('hex')
    return `#${hex.endsWith('ff') ? hex.slice(0, 6) : hex}`
  })
}

const looked = async (bytes: Buffer, more: { colours?: number; ignore_white?: boolean } = {}) =>
  (await look([bytes], { file: { id: '', size: 0 }, page: 0, colours: 5, ignore_white: false, ...more })).result

async function faultOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}

describe('picture.make', function () {
  restoresLoaders()
  this.timeout(30_000)

  it('takes steps in their order: what is cropped before it is turned is another part than afterwards', async () => {
    const left: Step = { op: 'crop', left: 0, top: 0, width: 10, height: 10 }
    const turn: Step = { op: 'rotate', degrees: 180 }
    expect(await pixels((await made(await halves(), [left, turn])).bytes, [5, 5])).to.deep.equal([RED])
    expect(await pixels((await made(await halves(), [turn, left])).bytes, [5, 5])).to.deep.equal([BLUE])
  })

  for (let orientation = 1; orientation <= 8; orientation += 1)
    it(`turns a picture upright before any step: EXIF orientation ${String(orientation)}`, async () => {
      const turned = await sharp(await halves())
        .withMetadata({ orientation })
        .png()
        .toBuffer()
      const plain = (await made(turned, [])).bytes
      const { width, height } = await looked(turned)
      expect([width, height]).to.deep.equal(orientation < 5 ? [40, 20] : [20, 40])
      for (const step of [
        { op: 'crop', left: 0, top: 0, width: 12, height: 8 },
        { op: 'rotate', degrees: 90 },
        { op: 'mirror', axis: 'horizontal' },
        { op: 'resize', width: 10, height: 10, fit: 'fill' },
      ] as const) {
        const [one, other] = [await made(turned, [step]), await made(plain, [step])]
        expect([one.width, one.height], step.op).to.deep.equal([other.width, other.height])
        const corners = [[1, 1], [one.width - 2, one.height - 2], [1, one.height - 2]] as const // prettier-ignore
        expect(await pixels(one.bytes, ...corners), step.op).to.deep.equal(await pixels(other.bytes, ...corners))
      }
    })

  it('resizes as asked', async () => {
    const sizes = async (step: Omit<Extract<Step, { op: 'resize' }>, 'op'>): Promise<number[]> => {
      const { width, height } = await made(await halves(), [{ op: 'resize', ...step }])
      return [width, height]
    }
    expect(await sizes({ width: 20 })).to.deep.equal([20, 10])
    expect(await sizes({ height: 5 })).to.deep.equal([10, 5])
    expect(await sizes({ width: 10, height: 10 })).to.deep.equal([10, 5])
    expect(await sizes({ width: 10, height: 10, fit: 'outside' })).to.deep.equal([20, 10])
    for (const fit of ['cover', 'contain', 'fill'] as const) expect(await sizes({ width: 10, height: 10, fit })).to.deep.equal([10, 10])
    expect(await sizes({ width: 80 })).to.deep.equal([40, 20])
    expect(await sizes({ width: 80, enlarge: true })).to.deep.equal([80, 40])
  })

  it('knows the size of a resized picture before it is made', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('inside', 'outside', 'contain', 'cover', 'fill'),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        async (...[width, height, fit, across, down]) => {
          const step = { op: 'resize', width: across, height: down, fit, enlarge: true } as const
          const source = await sharp({ create: { width, height, channels: 3, background: RED } })
            .png()
            .toBuffer()
          const one = await made(source, [step])
          const expected = resized({ width, height }, step, true)
          // sharp rounds halves differently.
          expect(Math.abs(one.width - expected.width)).to.be.at.most(1)
          expect(Math.abs(one.height - expected.height)).to.be.at.most(1)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('puts another picture over, under and as a mask, also one that reaches over the edge', async () => {
    const green = await sharp({ create: { width: 10, height: 10, channels: 4, background: '#00ff00' } }).png().toBuffer() // prettier-ignore
    const base = await halves()
    const over = await made(base, [{ op: 'composite', file: second, left: -5, top: -5 }], {}, [green])
    expect([over.width, over.height]).to.deep.equal([40, 20])
    expect(await pixels(over.bytes, [2, 2], [6, 6])).to.deep.equal(['#00ff00', RED])
    const half = await made(base, [{ op: 'composite', file: second, opacity: 0.5 }], {}, [green])
    const [mixed = ''] = await pixels(half.bytes, [18, 10])
    expect(mixed).to.match(/^#(?:7e|7f|80|81){2}00$/)
    const mask = await made(base, [{ op: 'composite', file: second, left: 0, top: 0, blend: 'mask' }], {}, [green])
    expect(await pixels(mask.bytes, [2, 2], [20, 10])).to.deep.equal([RED, '#00000000'])
    const clear = await made(base, [{ op: 'composite', file: second, left: 500, top: 0, blend: 'mask' }], {}, [green])
    expect(await pixels(clear.bytes, [2, 2])).to.deep.equal(['#00000000'])
    const under = await made(mask.bytes, [{ op: 'composite', file: second, left: 15, top: 5, blend: 'under' }], {}, [green])
    expect(await pixels(under.bytes, [2, 2], [20, 10])).to.deep.equal([RED, '#00ff00'])
  })

  it('makes what is transparent white in a JPEG, or the colour asked for', async () => {
    const clear = await sharp({ create: { width: 16, height: 16, channels: 4, background: '#00000000' } }).png().toBuffer() // prettier-ignore
    for (const steps of [[], [{ op: 'resize', width: 8 }], [{ op: 'blur', sigma: 1 }]] as const)
      expect(await pixels((await made(clear, steps, { format: 'jpeg' })).bytes, [4, 4])).to.deep.equal(['#ffffff'])
    expect(await pixels((await made(clear, [{ op: 'flatten', background: '#0000fe' }], { format: 'jpeg' })).bytes, [4, 4])).to.deep.equal([
      '#0000fe',
    ])
  })

  it('leaves no metadata in a result unless asked to, through several steps too', async () => {
    const exif = { IFD0: { Copyright: 'Ada Example' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
    const source = await sharp(await halves())
      .withExif(exif)
      .jpeg()
      .toBuffer()
    for (const format of ['png', 'jpeg', 'webp', 'avif', 'tiff'] as const)
      for (const steps of [[], [{ op: 'grayscale' }, { op: 'resize', width: 20 }]] as const) {
        const plain = await sharp((await made(source, steps, { format })).bytes).metadata()
        expect([plain.exif, plain.xmp], format).to.deep.equal([undefined, undefined])
        const kept = await sharp((await made(source, steps, { format, keep_metadata: true })).bytes).metadata()
        if (format !== 'tiff') expect(kept.exif?.toString('latin1'), format).to.contain('Ada Example')
      }
  })

  it('keeps all frames of a moving picture with their times, or takes one', async () => {
    const frames = await Promise.all([RED, '#00ff00', BLUE].map((background) => sharp({ create: { width: 30, height: 20, channels: 3, background } }).png().toBuffer())) // prettier-ignore
    const source = await sharp(frames, { join: { animated: true } }).gif({ delay: [100, 200, 300], loop: 2 }).toBuffer() // prettier-ignore
    const steps: Step[] = [{ op: 'resize', width: 15 }, { op: 'crop', width: 10, height: 10 }] // prettier-ignore
    for (const format of ['gif', 'webp'] as const) {
      const moving = await made(source, steps, { format, animated: true, lossless: true })
      expect(moving).to.include({ width: 10, height: 10, frames: 3 })
      expect(await sharp(moving.bytes).metadata()).to.deep.include({ pages: 3, delay: [100, 200, 300], loop: 2 })
      expect(await pixels(await sharp(moving.bytes, { page: 2 }).png().toBuffer(), [5, 5])).to.deep.equal([BLUE])
    }
    const one = await made(source, steps, { animated: true, page: 1 })
    expect(one.frames).to.equal(1)
    expect(await pixels(one.bytes, [5, 5])).to.deep.equal(['#00ff00'])
    expect(await faultOf(made(source, [{ op: 'rotate', degrees: 90 }], { format: 'gif', animated: true }))).to.contain('do not move')
    expect(await faultOf(made(source, [], { page: 3 }))).to.contain('3 pages')
  })

  it('refuses a size that is too large before anything is made', async () => {
    expect(await faultOf(made(await halves(), [{ op: 'resize', width: 16_000, enlarge: true }]))).to.contain('at most 40 million')
    const line = await sharp({ create: { width: 2, height: 1000, channels: 3, background: RED } }).png().toBuffer() // prettier-ignore
    expect(await faultOf(made(line, [{ op: 'resize', width: 100, enlarge: true }]))).to.contain('at most 16383')
  })
})

describe('picture.look', function () {
  this.timeout(30_000)

  it('names the dominant colours exactly, without the shades between them', async () => {
    const circle = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"><rect width="300" height="300" fill="#fff"/>'
    const logo = await sharp(Buffer.from(`${circle}<circle cx="150" cy="150" r="100" fill="#ff6600"/><rect x="140" y="140" width="20" height="20" fill="#003366"/></svg>`)).png().toBuffer() // prettier-ignore
    const all = await looked(logo)
    expect(all.colours.slice(0, 3).map(({ hex }) => hex)).to.deep.equal(['#ffffff', '#ff6600', '#003366'])
    expect(all).to.include({ background: '#ffffff', transparent: 0, format: 'png' })
    const colours = (await looked(logo, { ignore_white: true, colours: 2 })).colours
    expect(colours.map(({ hex }) => hex)).to.deep.equal(['#ff6600', '#003366'])
    expect(colours[0]?.share).to.be.closeTo(0.98, 0.02)
  })

  it('does not count what is transparent', async () => {
    const clear = await sharp({ create: { width: 10, height: 10, channels: 4, background: '#ff000000' } }).png().toBuffer() // prettier-ignore
    expect(await looked(clear)).to.deep.include({ colours: [], mean: null, background: null, transparent: 1, entropy: 0, has_alpha: true })
  })

  it('knows a picture of one tone, and one without a background', async () => {
    const plain = await sharp({ create: { width: 50, height: 30, channels: 3, background: '#123456' } }).png().toBuffer() // prettier-ignore
    expect(await looked(plain)).to.deep.include({ entropy: 0, background: '#123456', colours: [{ hex: '#123456', share: 1 }] })
    expect(await looked(await halves())).to.deep.include({ background: null, entropy: 1 })
  })

  it('has shares of all colours that are one together', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 400 }), (data) => {
        const width = Math.floor(data.length / 4)
        const { colours, transparent, entropy } = coloursOf(
          { data: data.subarray(0, width * 4), width, height: 1 },
          { most: 1000, ignoreWhite: false },
        )
        const sum = colours.reduce((total, { share }) => total + share, 0)
        expect(sum).to.be.closeTo(colours.length === 0 ? 0 : 1, 0.001 * (colours.length + 1))
        expect(transparent).to.be.within(0, 1)
        expect(entropy).to.be.within(0, 8)
        for (const { hex } of colours) expect(hex).to.match(/^#[0-9a-f]{6}$/)
      }),
    )
  })
})

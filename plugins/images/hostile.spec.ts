import { expect } from 'chai'
import sharp from 'sharp'
import { pngFlood } from '../../test/support/hostile-media/pictures.js'
import { drawn, outcomes, picture, places, plain, refuses, withImageWorld, type ImageWorld } from '../../test/support/image-world.js'
import { pixelsOf as decodedPixels } from '../../test/support/pixels.js'
import { expectProblem } from '../../test/support/problem.js'

const [RED, BLUE] = ['#e00000', '#0000e0']
const PAGE = Buffer.from('<!doctype html><p>Sorry')
const ARTIST = { IFD0: { Artist: 'First Last' } }

async function moving(...colours: readonly string[]): Promise<Buffer> {
  const frames = await Promise.all(colours.map(async (colour) => await plain(colour).png().toBuffer()))
  return await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}

describe('images.generate: pictures of vendors and callers', function () {
  this.timeout(60_000)
  let world: ImageWorld
  withImageWorld((started) => (world = started))

  for (const [what, bytes] of [
    ['16 bits a channel', async () => await (await picture(512, 512)).toColourspace('rgb16').png().toBuffer()],
    ['CMYK', async () => await (await picture(512, 512)).toColourspace('cmyk').jpeg().toBuffer()],
    ['EXIF', async () => await (await picture(512, 512)).withExif(ARTIST).jpeg().toBuffer()],
    [
      'frames that move',
      async () => {
        const frames = [world.square, await (await picture(512, 512)).negate({ alpha: false }).png().toBuffer()]
        return await sharp(frames, { join: { animated: true } })
          .gif()
          .toBuffer()
      },
    ],
  ] as const)
    it(`T-40 a picture with ${what} is encoded anew: one frame, 8 bits, sRGB, nothing else in it`, async () => {
      world.says.gemini = drawn(await bytes())
      const { status, body, bytes: given } = await world.generate()
      expect([status, body.metadata.provider_used]).to.deep.equal([200, 'gemini'])
      const about = await sharp(given).metadata()
      expect(about).to.deep.include({ width: 512, height: 512, depth: 'uchar', space: 'srgb' })
      expect([about.pages, about.exif, about.icc, about.xmp]).to.deep.equal([undefined, undefined, undefined, undefined])
      const pixels = await decodedPixels(given)
      const [red, blue] = [pixels.at(10, 500), pixels.at(500, 500)].map((hex) =>
        [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
      )
      expect((red?.[0] ?? 0) - (red?.[2] ?? 0), 'the left half is red').to.be.above(100)
      expect((blue?.[2] ?? 0) - (blue?.[0] ?? 0), 'the right half is blue').to.be.above(50)
    })

  it('T-40 an SVG picture is drawn without its scripts and without what it refers to', async () => {
    const { url } = world.files
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">
      <script>fetch('${url}/script')</script><image xlink:href="${url}/seen.png" width="64" height="64"/>
      <linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1" stop-color="blue"/></linearGradient>
      <rect width="64" height="64" fill="url(#g)"/></svg>`
    const seen = world.files.connections()
    world.says.gemini = drawn(Buffer.from(svg), 'image/svg+xml')
    const { status, bytes } = await world.generate()
    expect([status, (await sharp(bytes).metadata()).format]).to.deep.equal([200, 'png'])
    expect(world.files.connections()).to.equal(seen)
  })

  for (const [what, bytes] of [
    ['a flood of pixels', () => pngFlood(60_000)],
    ['half of a picture', () => world.square.subarray(0, world.square.length / 2)],
    ['a page', () => PAGE],
    ['nothing that is known', () => Buffer.from([1, 2, 3, 4])],
  ] as const)
    it(`T-40 ${what} in place of a picture makes the next vendor asked`, async () => {
      world.says.gemini = drawn(bytes())
      const { status, body } = await world.generate()
      expect([status, body.metadata.provider_used, body.credits_used]).to.deep.equal([200, 'openai-compatible', 3])
      expect(outcomes(body)).to.deep.equal(['gemini broken', 'openai-compatible ok'])
    })

  it('a reference picture is sent encoded anew: small, upright, without metadata', async () => {
    const photo = await (await picture(2000, 1000)).withExif(ARTIST).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { status, body } = await world.generate({ reference_image_url: world.link('/photo.jpg', photo, 'image/jpeg') })
    expect([status, body.metadata.provider_used]).to.deep.equal([200, 'gemini'])
    const { contents } = world.sent() as { contents: { parts: { inlineData?: { mimeType: string; data: string } }[] }[] }
    const { mimeType, data } = contents[0]?.parts[1]?.inlineData ?? { mimeType: '', data: '' }
    expect(mimeType).to.equal('image/jpeg')
    const about = await sharp(Buffer.from(data, 'base64')).metadata()
    expect([about.format, about.width, about.height, about.exif, about.orientation]).to.deep.equal([
      'jpeg',
      768,
      1536,
      undefined,
      undefined,
    ])
  })

  it('a vendor that takes no reference picture is skipped, and named so', async () => {
    world.says.gemini = refuses
    const { status, body } = await world.generate({ reference_image_url: world.link('/photo.png', world.square, 'image/png') })
    expect([status, body.credits_used]).to.deep.equal([422, 0])
    expect(outcomes(body)).to.deep.equal(['gemini invalid', 'openai-compatible skipped'])
  })

  it('a reference picture that was sent to the gateway is taken by its link', async () => {
    const body = new FormData()
    body.set('file', new Blob([world.square]), 'reference.png')
    const { url, key } = world.gateway
    const upload = await fetch(`${url}/v1/files`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
    const { data } = (await upload.json()) as { data: { file_url: string } }
    expect((await world.generate({ reference_image_url: data.file_url })).status).to.equal(200)
  })

  it('of a reference picture that moves the first frame is used, and a remark says so', async () => {
    const url = world.link('/moves.gif', await moving(RED, BLUE), 'image/gif')
    const { body } = await world.generate({ reference_image_url: url })
    expect(body.metadata.notes).to.deep.equal(['The reference picture has 2 frames or pages; the first was used.'])
  })

  for (const [what, bytes, words] of [
    ['is a page', () => PAGE, 'cannot be read'],
    ['is cut short', () => world.square.subarray(0, 1_000), 'cannot be read'],
    ['is empty', () => Buffer.alloc(0), 'cannot be read'],
    ['is a flood of pixels', () => pngFlood(60_000), 'million pixels'],
  ] as const)
    it(`a reference picture that ${what} is 422 at its field before any vendor is asked`, async () => {
      const { status, body } = await world.generate({ reference_image_url: world.link('/bad.png', bytes(), 'image/png') })
      expect([status, body.credits_used, places(body)]).to.deep.equal([422, 0, ['body.reference_image_url']])
      expect(body.error?.detail).to.contain(words)
      expect(world.asked).to.deep.equal([])
    })

  it('a reference picture that is not there is no result, and one inside is a blocked target, both free and before any vendor is asked', async () => {
    expectProblem(await world.post({ prompt: 'x', reference_image_url: `${world.files.url}/gone.png` }), 'no-result')
    expectProblem(await world.post({ prompt: 'x', reference_image_url: 'http://169.254.169.254/a.png' }), 'target-blocked')
    expect(world.asked).to.deep.equal([])
  })
})

import { expect } from 'chai'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import sharp from 'sharp'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { findProgram } from '../../core/exec/programs.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type Reply, type TestGateway } from '../../test/support/gateway.js'
import { skip } from '../../test/support/needs.js'
import { TemporaryFolder } from '../../test/support/store.js'
import { LIMITS } from './limits.js'

interface Answer {
  readonly data: { readonly image_base64: string; readonly format: string; readonly content_type: string } | null
  readonly error: { readonly type: string; readonly detail: string; readonly errors?: readonly { loc: readonly string[] }[] } | null
  readonly metadata: { readonly provider_used: string | null; readonly notes?: readonly string[] }
}
type Colour = readonly [number, number, number, number]

const svg = (inner: string, width = 80, height = 60): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}">${inner}</svg>`)
const WHITE = '<rect width="100%" height="100%" fill="#fff"/>'
const MANY =
  '<defs><linearGradient id="g"><stop offset="0" stop-color="#205090"/><stop offset="1" stop-color="#e0c060"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>'
/** Red, in the left half. */
const SQUARE = '<rect x="10" y="15" width="24" height="30" fill="#c00"/>'
const LEVELS = Array.from({ length: 9 }, (_, at) => `<!ENTITY a${String(at + 1)} "${`&a${String(at)};`.repeat(10)}">`).join('')
const drawn = (inner: string, width?: number, height?: number) => sharp(svg(inner, width, height))

describe('images.remove_background', function () {
  this.timeout(60_000)
  const usual = tmpdir()
  const files = new Map<string, Buffer>()
  const asked: string[] = []
  let site: Running
  let gateway: TestGateway
  let temporary: TemporaryFolder

  before(async function () {
    needs(this, 'bwrap')
    temporary = new TemporaryFolder()
    await chmod(temporary.path, 0o711)
    process.env['TMPDIR'] = temporary.path
    site = await httpServer((request, response) => {
      const file = files.get(request.url ?? '')
      asked.push(request.url ?? '')
      response.writeHead(file === undefined ? 404 : 200).end(file)
    })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${String(site.port)}` } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    process.env['TMPDIR'] = usual
    temporary?.remove()
  })

  const send = async (picture: Buffer, params: object = {}): Promise<Reply> => {
    const path = `/picture-${String(files.size)}`
    files.set(path, picture)
    return await gateway.post('/v1/images/remove-background', { image_url: `${site.url}${path}`, ...params })
  }
  const cut = async (picture: Buffer, params: object = {}) => {
    const reply = await send(picture, params)
    const { data, error, metadata } = reply.json<Answer>()
    if (data === null) throw new Error(`${String(reply.status)} ${error?.detail ?? ''}`)
    const bytes = Buffer.from(data.image_base64, 'base64')
    const raw = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    const { width, height } = raw.info
    const at = (x: number, y: number): Colour => {
      const [red = 0, green = 0, blue = 0, alpha = 0] = raw.data.subarray((y * width + x) * 4)
      return [red, green, blue, alpha]
    }
    return { ...data, metadata, width, height, at, bytes }
  }

  it('the subject stands on transparent ground, and the answer says what it is', async () => {
    const made = await cut(await drawn(WHITE + SQUARE).png().toBuffer())
    expect(made).to.include({ format: 'png', content_type: 'image/png', width: 80, height: 60 })
    expect(made.metadata.provider_used).to.equal('flat')
    expect(made.at(20, 30)).to.deep.equal([204, 0, 0, 255])
    expect([made.at(2, 2)[3], made.at(60, 30)[3]]).to.deep.equal([0, 0])
    expect(await gateway.money()).to.include({ held: 0 })
  })

  it('size and format are honoured, and a note says when the result is smaller than the source', async () => {
    const picture = await drawn(`${WHITE}<circle cx="400" cy="400" r="200" fill="#073"/>`, 1000, 800).png().toBuffer()
    const preview = await cut(picture, { size: 'preview', format: 'webp' })
    expect((await sharp(preview.bytes).metadata()).format).to.equal('webp')
    expect(preview.width * preview.height).to.be.within(LIMITS.preview * 0.98, LIMITS.preview)
    expect(preview.width / preview.height).to.be.closeTo(1.25, 0.01)
    expect(preview.metadata.notes?.join()).to.match(/^The result has \d+ x \d+ pixels, the source 1000 x 800\.$/)
    const full = await cut(picture, { size: 'full' })
    expect([full.width, full.height, full.metadata.notes ?? []]).to.deep.equal([1000, 800, []])
  })

  it('a photograph that lies on its side is turned by its EXIF orientation', async () => {
    const picture = await drawn(WHITE + SQUARE).rotate(-90).jpeg().withMetadata({ orientation: 6 }).toBuffer()
    const made = await cut(picture)
    expect([made.width, made.height]).to.deep.equal([80, 60])
    expect([made.at(20, 30)[3], made.at(60, 30)[3]]).to.deep.equal([255, 0])
    expect((await sharp(made.bytes).metadata()).exif).to.equal(undefined)
  })

  it('what is transparent already stays so, and what is half transparent keeps its alpha', async () => {
    const made = await cut(await drawn('<rect x="10" y="15" width="24" height="30" fill="#c00" fill-opacity="0.5"/>').png().toBuffer())
    expect(made.metadata.provider_used).to.equal('flat')
    expect(made.at(20, 30)[3]).to.be.closeTo(128, 1)
    expect(made.at(60, 30)[3]).to.equal(0)
  })

  it('the edge of a subject is soft and has lost the colour of the background; what it encloses is background too', async () => {
    const ring = '<rect width="100%" height="100%" fill="#00b140"/><circle cx="100" cy="75" r="50" fill="none" stroke="#d01010" stroke-width="24"/>'
    const made = await cut(await drawn(ring, 200, 150).png().toBuffer())
    expect([made.at(100, 75)[3], made.at(100, 25)[3], made.at(5, 5)[3]]).to.deep.equal([0, 255, 0])
    const edge = Array.from({ length: 200 }, (_, x) => made.at(x, 60)).filter(([, , , alpha]) => alpha > 20 && alpha < 235)
    expect(edge.length).to.be.greaterThan(1)
    for (const [red, green] of edge) expect(green).to.be.lessThan(red / 3)
  })

  it('CMYK and 16 bits a channel become 8 bits of sRGB, and of a moving picture or several pages the first is used', async () => {
    const cmyk = await drawn(WHITE + SQUARE).flatten({ background: '#fff' }).toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer()
    const deep = await drawn(WHITE + SQUARE).toColourspace('rgb16').png().toBuffer()
    expect((await sharp(deep).metadata()).depth).to.equal('ushort')
    for (const picture of [cmyk, deep]) {
      const made = await cut(picture)
      const [red, green, , alpha] = made.at(20, 30)
      expect([red > 150, green < 80, alpha, made.at(60, 30)[3]]).to.deep.equal([true, true, 255, 0])
      expect((await sharp(made.bytes).metadata()).depth).to.equal('uchar')
    }
    const frames = await Promise.all([WHITE + SQUARE, MANY].map((frame) => drawn(frame).png().toBuffer()))
    const moving = await cut(await sharp(frames, { join: { animated: true } }).gif().toBuffer())
    expect(moving.metadata.notes).to.deep.equal(['The source has 2 pages or frames: the first is used.'])
    expect([moving.height, moving.at(20, 30)[3], moving.at(60, 30)[3]]).to.deep.equal([60, 255, 0])
  })

  it('nothing of an SVG picture runs or is loaded', async () => {
    const before = asked.length
    const hostile = `<script>fetch('${site.url}/script')</script><image href="${site.url}/image" width="9" height="9"/><style>@import url(${site.url}/style)</style>`
    const made = await cut(svg(WHITE + SQUARE + hostile))
    expect(made.at(20, 30)[3]).to.equal(255)
    expect(asked.slice(before)).to.have.length(1)
  })

  it('a picture in which nothing is to be seen is no-result, and costs nothing', async () => {
    const before = await gateway.money()
    const reply = await send(await drawn(WHITE).png().toBuffer())
    expect([reply.status, reply.json<Answer>().error?.type.split('/').at(-1)]).to.deep.equal([422, 'no-result'])
    expect(await gateway.money()).to.deep.equal(before)
  })

  const refused: readonly (readonly [string, () => Buffer | Promise<Buffer>])[] = [
    ['an empty file', () => Buffer.alloc(0)],
    ['a page', () => Buffer.from('<!doctype html><title>x</title><p>a picture</p>')],
    ['a picture that is cut short', async () => (await drawn(WHITE + SQUARE, 400, 400).png().toBuffer()).subarray(0, 200)],
    ['a picture of 41 million pixels', () => sharp({ create: { width: 8_200, height: 5_000, channels: 3, background: '#fff' } }).png().toBuffer()],
    ['a file of more than 20 MiB', () => Buffer.alloc(LIMITS.source + 1, 'x')],
    ['an SVG that expands itself', () => Buffer.from(`<!DOCTYPE svg [<!ENTITY a0 "${'ha'.repeat(100)}">${LEVELS}]>${svg('<text>&a9;</text>').toString()}`)],
  ]
  for (const [name, picture] of refused)
    it(`${name} is refused at image_url, free of charge`, async () => {
      const before = await gateway.money()
      const reply = await send(await picture())
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.text).to.contain('image_url')
      expect(await gateway.money()).to.deep.equal(before)
    })

  it('an address of another kind, a word for size or format that there is not, are refused before anything is fetched', async () => {
    const before = asked.length
    const wrong = [{ image_url: 'ftp://example.com/x.png' }, { image_url: 'http://example.com/', size: 'large' }, { image_url: 'http://example.com/', format: 'jpeg' }]
    for (const body of wrong) expect((await gateway.post('/v1/images/remove-background', body)).status).to.equal(422)
    expect(asked).to.have.length(before)
  })

  it('a subject before many colours is cut out by the model, in a process that stays', async function () {
    if (findProgram('cutout', undefined) === undefined) skip(this, 'the engine pack cutout is not installed: npm run tools -- cutout')
    const subject = '<circle cx="160" cy="120" r="70" fill="#b3261e"/><circle cx="140" cy="100" r="18" fill="#f6d5d2"/>'
    for (const format of ['png', 'webp']) {
      const made = await cut(await drawn(MANY + subject, 320, 240).jpeg().toBuffer(), { format })
      expect(made.metadata.provider_used).to.equal('cutout')
      expect([made.at(160, 120)[3] > 240, made.at(10, 10)[3] < 10, made.at(310, 230)[3] < 10]).to.deep.equal([true, true, true])
    }
  })
})

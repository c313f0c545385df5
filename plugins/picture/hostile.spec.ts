import { expect } from 'chai'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { noCallFiles } from '../../test/support/call-files.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import { pngChunk } from '../../test/support/hostile-media/bytes.js'
import { gif, LAUGHS, png, svg, tiff, USES } from '../../test/support/hostile-media/pictures.js'
import { index } from '../../test/support/loader-texts.js'
import { PluginFolder } from '../../test/support/loader.js'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { noisyPhoto } from '../../test/support/photo.js'
import { TemporaryFolder } from '../../test/support/store.js'

const SDK = 'capstan/sdk'
const contract = `import { Type, capability, flat, or } from '${SDK}'
export const paint = capability({
  id: 'paint', path: '/v1/paint', title: 'Paint', description: 'Changes a picture.', price: flat(1),
  input: Type.Object({ url: Type.String({ description: 'Address.' }), make: or(Type.Unknown({ description: 'How; null to look.' }), null) }),
  output: Type.Unknown(), examples: [{ title: 'One', params: { url: 'http://example.com/x' } }],
})
`
const handler = `import { handle, port, scratchFile, Type } from '${SDK}'
import { paint } from './contract.mjs'
const ported = (id) => port({ id, input: Type.Object({ file: scratchFile }), output: Type.Unknown() })
export const run = handle(paint, async ({ url, make }, ctx) => {
  const file = await ctx.scratch.fetch(url)
  const given = JSON.parse(JSON.stringify(make ?? {}).replaceAll('"SAME"', JSON.stringify(file)))
  return await ctx.call(ported(make === null ? 'picture.look' : 'picture.make'), { file, ...given })
})
`

const FILTERS = `<filter id="f">${'<feGaussianBlur stdDeviation="500"/><feTurbulence numOctaves="20"/>'.repeat(200)}</filter><rect width="40" height="40" filter="url(#f)"/>`
const MAKE = { format: 'png', steps: [{ op: 'resize', width: 4_000, height: 4_000, fit: 'fill' }] }

describe('picture: hostile files (T-49)', function () {
  this.timeout(90_000)
  const usual = tmpdir()
  let site: Running
  let folder: PluginFolder
  let gateway: TestGateway
  let temporary: TemporaryFolder
  const files = new Map<string, Buffer>()
  const asked: string[] = []
  const paint = async (file: Buffer, make: unknown = null) => {
    const path = `/file-${String(files.size)}`
    files.set(path, file)
    return await gateway.post('/v1/paint', { url: `${site.url}${path}`, make })
  }

  before(async function () {
    needs(this, 'bwrap')
    temporary = new TemporaryFolder()
    await chmod(temporary.path, 0o711)
    process.env['TMPDIR'] = temporary.path
    site = await httpServer((request, response) => {
      if (!files.has(request.url ?? '')) asked.push(request.url ?? '')
      response.end(files.get(request.url ?? '') ?? '')
    })
    folder = await PluginFolder.make()
    await folder.write('paint', { 'index.mjs': index('paint', '', SDK), 'contract.mjs': contract, 'handler.mjs': handler })
    gateway = await startGateway({ bundled: true, env: { CAPSTAN_PLUGINS: folder.path, CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${site.port}` } })
  })
  after(async () => {
    await gateway?.close()
    await site?.close()
    await folder?.remove()
    process.env['TMPDIR'] = usual
    temporary?.remove()
  })

  const refused: readonly (readonly [string, () => Buffer | Promise<Buffer>, unknown, RegExp])[] = [
    ['a PNG of 30,000 x 30,000', () => png(30_000, 30_000), null, /900 million pixels; at most 40 million/],
    [
      'a PNG of 30,000 x 30,000 laid over',
      () => png(30_000, 30_000),
      { format: 'png', steps: [{ op: 'composite', file: 'SAME' }] },
      /900 million/,
    ],
    ['a photograph of 62 million pixels and 20 MB', noisyPhoto, MAKE, /62 million pixels; at most 40 million/],
    ['a GIF of 10,000 frames, all asked for', () => gif(10_000), { format: 'gif', animated: true }, /10000 frames; at most 300/],
    ['a TIFF of 20,000 pages', () => tiff(20_000), null, /20000 pages; at most 10000|seconds/],
    ['a cut JPEG', async () => (await sharp(png(800, 800)).jpeg().toBuffer()).subarray(0, 2_000), MAKE, /cannot be read completely/],
    ['an empty file', () => Buffer.alloc(0), null, /no picture/],
    ['a page', () => Buffer.from('<html><body>no</body></html>'), null, /no picture/],
    ['a PDF', () => Buffer.from('%PDF-1.7\n%%EOF'), null, /no picture/],
    ['a packed SVG', () => gzipSync(svg('')), null, /no picture|plain text/],
    [
      'an SVG of 100,000 x 100,000',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"/>'),
      null,
      /10000 million/,
    ],
    ['an SVG of entities of entities', () => svg('<text y="20">&j;</text>', LAUGHS), MAKE, /no picture|cannot be read|may\.|seconds/],
  ]
  for (const [name, file, make, message] of refused)
    it(`T-49 ${name} is 422 and free`, async () => {
      const reply = await paint(await file(), make)
      expect(reply.status, reply.text).to.equal(422)
      expect(reply.text).to.match(message)
      expect(reply.headers['x-credits-used']).to.equal('0')
    })

  it('T-49 what ends late or takes much memory is refused or made within the limits, and the next picture is served', async () => {
    const bomb = pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(200_000_000))]))
    const slow = [
      [svg(FILTERS), MAKE],
      [svg(USES), MAKE],
      [png(40, 40, [bomb]), { format: 'png', keep_metadata: true }],
      [png(6_000, 6_000), { format: 'avif', lossless: true }],
      [tiff(5, { round: true }), null],
    ] as const
    const replies = await Promise.all(slow.map(([file, make]) => paint(file, make)))
    for (const { status, text } of replies) expect(status, text).to.be.oneOf([200, 422, 503])
    expect(replies[1]?.status).to.equal(422)
    expect((await paint(png(40, 40))).status).to.equal(200)
  })

  it('T-49 an SVG loads nothing that it refers to, neither over the network nor from files', async () => {
    const green = (await sharp({ create: { width: 40, height: 40, channels: 3, background: '#00ff00' } }).png().toBuffer()).toString('base64') // prettier-ignore
    const outside = [`${site.url}/secret.png`, 'file:///usr/share/pixmaps/x.png', '/etc/hostname', 'secret.png']
    const inner = outside.flatMap((href) => [
      `<image href="${href}" width="40" height="40"/><image xlink:href="${href}" width="40" height="40"/><use href="${href}#a"/>`,
      `<style>@import url("${href}"); rect { fill: url("${href}#a") }</style><rect width="1" height="1" fill="url(${href}#a)"/>`,
      `<filter id="f"><feImage href="${href}"/></filter><rect width="1" height="1" filter="url(#f)" opacity="0"/>`,
    ])
    const head = `<?xml-stylesheet href="${site.url}/s.css"?><!DOCTYPE svg SYSTEM "${site.url}/svg.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y SYSTEM "${site.url}/y">]>`
    const reply = await paint(svg(`${inner.join('')}<text y="20" fill="none">&x;&y;</text>`, head))
    expect(reply.status, reply.text).to.be.oneOf([200, 422])
    const drawn = await paint(svg(inner.join('')))
    expect(drawn.json(), drawn.text).to.have.nested.property('data.transparent').that.is.at.least(0.99)
    const data = await paint(svg(`<image href="data:image/png;base64,${green}" width="40" height="40"/>`))
    expect(data.json(), data.text).to.have.nested.property('data.colours[0].hex', '#00ff00')
    expect(asked).to.deep.equal([])
  })

  it('T-49 one frame of very many is read', async () => {
    const reply = await paint(gif(9_000), { format: 'png', page: 8_999 })
    expect(reply.status, reply.text).to.equal(200)
    expect(reply.json()).to.have.nested.property('data.frames', 1)
  })

  it('leaves no file behind', async () => {
    await noCallFiles(temporary.path)
  })
})

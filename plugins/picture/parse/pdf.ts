/** A picture that fills a page. */
export interface PdfPage {
  /** JPEG in colour, or PNG with 8 or 16 bits, grey or RGB, neither transparent nor interlaced. */
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
  /** Pixels per inch, horizontal and vertical. */
  readonly density: readonly [number, number]
}

/** Side of a page in points (ISO 32000-1, annex C.2). */
const SIDE = { least: 3, most: 14_400 }
const POINTS_OF_INCH = 72

/** A PDF file with each picture on a page of its size. The compressed pixels are copied (ISO 32000-1, 7.4 and 8.9.5). */
export function pdfOf(pages: readonly PdfPage[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const places: number[] = []
  let at = parts[0]?.length ?? 0
  const add = (...more: readonly (string | Buffer)[]): void => {
    for (const each of more) {
      const bytes = typeof each === 'string' ? Buffer.from(each, 'latin1') : each
      parts.push(bytes)
      at += bytes.length
    }
  }
  const object = (dictionary: string, stream?: readonly Buffer[]): void => {
    places.push(at)
    add(`${places.length} 0 obj\n${dictionary}\n`, ...(stream === undefined ? [] : ['stream\n', ...stream, '\nendstream\n']), 'endobj\n')
  }
  object('<</Type/Catalog/Pages 2 0 R>>')
  object(`<</Type/Pages/Count ${pages.length}/Kids[${pages.map((_, index) => `${3 + index * 3} 0 R`).join(' ')}]>>`)
  for (const [index, page] of pages.entries()) {
    const own = 3 + index * 3
    const [width, height] = sizeOf(page)
    const drawing = Buffer.from(`${width} 0 0 ${height} 0 0 cm /P Do`)
    const { dictionary, stream } = imageOf(page)
    object(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${own + 1} 0 R/Resources<</XObject<</P ${own + 2} 0 R>>>>>>`,
    )
    object(`<</Length ${drawing.length}>>`, [drawing])
    object(dictionary, stream)
  }
  const table = at
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
  add(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${entries.join('')}`)
  add(`trailer\n<</Size ${places.length + 1}/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`)
  return Buffer.concat(parts)
}

/** Width and height in points, in the ratio of the picture, within the limits of a page. */
function sizeOf({ width, height, density }: PdfPage): [number, number] {
  const sides: [number, number] = [(width / density[0]) * POINTS_OF_INCH, (height / density[1]) * POINTS_OF_INCH]
  const scale = Math.min(1, SIDE.most / Math.max(...sides))
  const bounded = (side: number): number => Number(Math.max(SIDE.least, side * scale).toFixed(2))
  return [bounded(sides[0]), bounded(sides[1])]
}

function imageOf({ bytes, width, height }: PdfPage): { readonly dictionary: string; readonly stream: readonly Buffer[] } {
  const jpeg = bytes[0] === 0xff
  const stream = jpeg ? [bytes] : pixelsOf(bytes)
  const length = stream.reduce((sum, part) => sum + part.length, 0)
  // Bit depth and colour type in the PNG header (PNG 3rd edition, 11.2.1).
  const colours = !jpeg && bytes[25] === 0 ? 1 : 3
  const bits = jpeg ? 8 : (bytes[24] ?? 8)
  const predicted = `/DecodeParms<</Predictor 15/Colors ${colours}/BitsPerComponent ${bits}/Columns ${width}>>`
  const filter = jpeg ? '/Filter/DCTDecode' : `/Filter/FlateDecode${predicted}`
  const space = colours === 1 ? '/DeviceGray' : '/DeviceRGB'
  const size = `/Width ${width}/Height ${height}/ColorSpace${space}/BitsPerComponent ${bits}`
  return { dictionary: `<</Type/XObject/Subtype/Image${size}${filter}/Length ${length}>>`, stream }
}

/** The compressed pixels of a PNG file: its IDAT chunks, which form one stream (PNG 3rd edition, 10). */
function pixelsOf(png: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') found.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  return found
}

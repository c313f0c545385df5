import sharp from 'sharp'

/** A page that is a picture, as a scan is. */
export interface PicturedPage {
  readonly jpeg: Uint8Array
  readonly width: number
  readonly height: number
}

const WIDTH = 1_200
const [SIZE, LEADING, MARGIN] = [30, 46, 60]
const IN_A_LINE = /.{1,62}(?:\s|$)/g

/** A picture of texts, in letters that recognition reads. */
export async function pictured(texts: readonly string[]): Promise<{ readonly png: Uint8Array; readonly page: PicturedPage }> {
  const rows = texts.flatMap((text) => [...(text.match(IN_A_LINE) ?? [text]), ''])
  const height = 2 * MARGIN + rows.length * LEADING
  const lines = rows.map(
    (row, at) => `<text x="${String(MARGIN)}" y="${String(MARGIN + (at + 1) * LEADING)}">${escaped(row.trim())}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${String(WIDTH)}" height="${String(height)}" font-family="DejaVu Sans, sans-serif" font-size="${String(SIZE)}"><rect width="100%" height="100%" fill="#fff"/>${lines.join('')}</svg>`
  const drawn = sharp(Buffer.from(svg)).flatten({ background: '#fff' })
  const [png, jpeg] = [await drawn.clone().png().toBuffer(), await drawn.clone().jpeg({ quality: 90 }).toBuffer()]
  return { png, page: { jpeg, width: WIDTH, height } }
}

/** A PDF whose pages are lines of text or pictures, with a title. */
export function pdf(pages: readonly (readonly string[] | PicturedPage)[], title: string): Uint8Array {
  const [catalog, tree, font, info] = [1, 2, 3, 4]
  const first = 5
  const perPage = 3
  const number = (page: number, part: number): string => `${String(first + page * perPage + part)} 0 R`
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages ${String(tree)} 0 R >>`,
    `<< /Type /Pages /Kids [${pages.map((_, at) => number(at, 0)).join(' ')}] /Count ${String(pages.length)} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Title ${literal(title)} >>`,
    ...pages.flatMap((page, at) => {
      const resources = `<< /Font << /F1 ${String(font)} 0 R >> /XObject << /P ${number(at, 2)} >> >>`
      const leaf = `<< /Type /Page /Parent ${String(tree)} 0 R /MediaBox [0 0 595 842] /Contents ${number(at, 1)} /Resources ${resources} >>`
      return 'jpeg' in page
        ? [leaf, stream('', 'q 515 0 0 ' + String(Math.round((515 * page.height) / page.width)) + ' 40 300 cm /P Do Q'), picture(page)]
        : [leaf, stream('', written(page)), stream('', '')]
    }),
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  let length = parts[0]?.length ?? 0
  const offsets = objects.map((object, at) => {
    const offset = length
    const whole = Buffer.concat([Buffer.from(`${String(at + 1)} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    parts.push(whole)
    length += whole.length
    return offset
  })
  const xref = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = String(objects.length + 1)
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${xref}trailer\n<< /Size ${count} /Root ${String(catalog)} 0 R /Info ${String(info)} 0 R >>\nstartxref\n${String(length)}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

function written(lines: readonly string[]): string {
  const wrapped = lines.flatMap((line) => line.match(/.{1,90}(?:\s|$)/g) ?? [line])
  return `BT /F1 11 Tf 14 TL 40 780 Td ${wrapped.map((line) => `${literal(line.trim())} Tj T*`).join(' ')} ET`
}

function picture({ jpeg, width, height }: PicturedPage): Buffer {
  const about = `/Type /XObject /Subtype /Image /Width ${String(width)} /Height ${String(height)} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`
  return stream(about, jpeg)
}

function stream(about: string, data: string | Uint8Array): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data)
  return Buffer.concat([Buffer.from(`<< ${about} /Length ${String(bytes.length)} >>\nstream\n`), bytes, Buffer.from('\nendstream')])
}

function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, '\\$&')})`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

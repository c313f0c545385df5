import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { random } from './random.js'

const run = promisify(execFile)
const BROWSERS = ['chromium', 'chromium-headless-shell']
const DPI = 200
const SKEW = 2
const NOISE = 14
const QUALITY = 70

/** Prints pages to PDF, one after the other, with a browser of this machine. */
export async function printed(pages: readonly { readonly html: string; readonly path: string }[]): Promise<void> {
  const browser = await chromium.launch({ executablePath: await browserPath(), args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ javaScriptEnabled: false })
    for (const { html, path } of pages) {
      await page.setContent(html)
      await page.pdf({ path, preferCSSPageSize: true, printBackground: true })
    }
  } finally {
    await browser.close()
  }
}

/**
 * A PDF as a scanner would see it: 200 pixels an inch, turned by two degrees to either side, with noise, as JPEG. One page is a picture, several are a PDF
 * of pictures. The same `seed` gives the same scan.
 */
export async function scan(
  pdf: string,
  folder: string,
  seed: number,
): Promise<{ readonly bytes: Buffer; readonly pages: number; readonly kind: 'jpg' | 'pdf' }> {
  const prefix = join(folder, `scan-${String(seed)}`)
  await run('pdftoppm', ['-r', String(DPI), '-png', pdf, prefix])
  const names = readdirSync(folder).filter((name) => name.startsWith(`scan-${String(seed)}-`) && name.endsWith('.png'))
  const pages: Picture[] = []
  for (const [index, name] of names.sort().entries()) pages.push(await worn(join(folder, name), seed + index))
  const [only, ...others] = pages
  if (only === undefined) throw new Error(`${pdf} has no pages.`)
  return others.length === 0 ? { bytes: only.jpeg, pages: 1, kind: 'jpg' } : { bytes: pdfOf(pages), pages: pages.length, kind: 'pdf' }
}

/** Attaches XML to a PDF, as Factur-X and ZUGFeRD do. */
export async function attached(pdf: string, xml: string, { folder, name }: { folder: string; name: string }): Promise<Buffer> {
  const [file, out] = [join(folder, name), join(folder, 'attached.pdf')]
  writeFileSync(file, xml)
  rmSync(out, { force: true })
  await run('pdfattach', ['-replace', pdf, file, out])
  return readFileSync(out)
}

interface Picture {
  readonly jpeg: Buffer
  readonly width: number
  readonly height: number
}

async function worn(path: string, seed: number): Promise<Picture> {
  const draw = random(seed)
  const turned = await sharp(path)
    .rotate(draw.whole(0, 1) === 0 ? SKEW : -SKEW, { background: '#ffffff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { data, info } = turned
  const pixels = Buffer.from(data)
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = Math.max(0, Math.min(255, (pixels[at] ?? 0) + Math.round((draw.next() - 0.5) * 2 * NOISE) - 4))
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const jpeg = await sharp(pixels, { raw }).withMetadata({ density: DPI }).jpeg({ quality: QUALITY }).toBuffer()
  return { jpeg, width: info.width, height: info.height }
}

/** A PDF of pictures alone (ISO 32000-1), which sharp writes in three colours. Readers rebuild the table of objects that it lacks. */
function pdfOf(pages: readonly Picture[]): Buffer {
  const points = (pixels: number) => ((pixels * 72) / DPI).toFixed(2)
  const kids = pages.map((_, index) => `${String(10 + index * 3)} 0 R`).join(' ')
  const parts: (string | Buffer)[] = [
    '%PDF-1.7\n1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj\n',
    `2 0 obj <</Type/Pages/Count ${String(pages.length)}/Kids[${kids}]>> endobj\n`,
  ]
  for (const [index, { jpeg, width, height }] of pages.entries()) {
    const id = 10 + index * 3
    const draw = `q ${points(width)} 0 0 ${points(height)} 0 0 cm /I Do Q`
    parts.push(
      `${String(id)} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 ${points(width)} ${points(height)}]/Contents ${String(id + 1)} 0 R/Resources<</XObject<</I ${String(id + 2)} 0 R>>>>>> endobj\n`,
      `${String(id + 1)} 0 obj <</Length ${String(draw.length)}>> stream\n${draw}\nendstream endobj\n`,
      `${String(id + 2)} 0 obj <</Type/XObject/Subtype/Image/Width ${String(width)}/Height ${String(height)}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${String(jpeg.length)}>> stream\n`,
      jpeg,
      '\nendstream endobj\n',
    )
  }
  parts.push('trailer <</Root 1 0 R>>\n%%EOF')
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
}

async function browserPath(): Promise<string> {
  for (const name of BROWSERS) {
    try {
      return (await run('which', [name])).stdout.trim()
    } catch (error) {
      if (!(error instanceof Error)) throw error
    }
  }
  throw new Error(`The bench prints with ${BROWSERS.join(' or ')}, and neither is installed.`)
}

import { Fault, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { assertRead } from './recognise.js'

const SOURCE = 'source.pdf'
const INFO_MS = 10_000
const DRAW_MS = 20_000
const DPI = 200
const MAX_SIDE = 4_000
const POINTS = 72
/** Not PNG: poppler takes seconds to compress the noise of a scan, a hundredth of that to write it uncompressed. */
const PLAIN = ['-tiff', '-tiffcompression', 'none']

/** Pages of a PDF and the longer side of each in points. Throws Fault `invalid` for a file that is damaged or encrypted. */
export async function pdfPages(
  context: ProviderContext,
  file: ScratchFile,
  last: number,
): Promise<{ count: number; longest: (page: number) => number }> {
  const result = await context.exec('pdfinfo', ['-f', '1', '-l', String(last), SOURCE], {
    files: [{ name: SOURCE, data: file }],
    timeoutMs: INFO_MS,
    maxOutput: 4 * 1024 * 1024,
    diskMb: 1,
  })
  const output = Buffer.from(result.stderr).toString('utf8')
  if (/Incorrect password/i.test(output)) throw new Fault('invalid', 'The file is encrypted: remove its password first.')
  if (result.code !== 0 && result.stopped === null)
    throw new Fault('invalid', 'The file is broken, or no PDF document.', { internal: output.slice(-500) })
  assertRead(result, context)
  const text = Buffer.from(result.stdout).toString('utf8')
  const sizes = new Map(
    [...text.matchAll(/^Page +(\d+) size: +([\d.]+) x ([\d.]+)/gm)].map(([, page, width, height]) => [
      Number(page),
      Math.max(Number(width), Number(height)),
    ]),
  )
  return { count: Number(/^Pages: +(\d+)$/m.exec(text)?.[1] ?? 0), longest: (page) => sizes.get(page) ?? 842 }
}

/** An image of a page, and its pixels per inch: 200, less for pages of uncommon size. */
export async function pagePicture(
  context: ProviderContext,
  file: ScratchFile,
  { page, longest }: { page: number; longest: number },
): Promise<{ picture: ScratchFile; dpi: number }> {
  const dpi = Math.max(20, Math.min(DPI, Math.floor((MAX_SIDE * POINTS) / Math.max(1, longest))))
  const only = ['-f', String(page), '-l', String(page), '-singlefile']
  const result = await context.exec('pdftoppm', [...only, '-r', String(dpi), '-gray', ...PLAIN, SOURCE, 'page'], {
    files: [{ name: SOURCE, data: file }],
    timeoutMs: DRAW_MS,
    diskMb: 64,
    collect: { maxFiles: 1, maxBytes: 64 * 1024 * 1024, into: 'scratch' },
  })
  assertRead(result, context)
  const [made] = result.scratchFiles
  if (made === undefined) throw new Fault('invalid', `Page ${page} of the file cannot be drawn.`)
  return { picture: made.file, dpi }
}

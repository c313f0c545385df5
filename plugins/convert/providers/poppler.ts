import { Fault, provider, type ExecResult, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { noteLosses } from '../../_vendors/losses.js'
import { POPPLER_LOSSES, poppler as vendor } from '../../_vendors/poppler.js'
import { convertVendors } from '../contract.js'
import { failureOf, textOf } from '../engines/failure.js'
import { makes } from '../pairs/pairs.js'
import { POPPLER } from '../pairs/poppler.js'
import { resultOf } from '../result.js'

const SOURCE = 'source.pdf'
const RESULT = 'page'
const MIB = 1024 * 1024
const LIMITS = { pages: 200, diskMb: 512, memoryMb: 1024, timeoutMs: 100_000 }
/** Pixels per inch: enough for printing; an A4 page has nine million pixels. */
const DPI = '150'

interface Tool {
  readonly program: 'pdftoppm' | 'pdftocairo' | 'pdftotext' | 'pdftohtml'
  readonly words: readonly string[]
  /** One file for each page; else one for all. */
  readonly paged: 'itself' | 'asked' | false
}

/** Options of the programs (their manual pages). pdftocairo writes SVG or EPS only one page at a time. */
const TOOLS: Readonly<Record<string, Tool>> = {
  png: { program: 'pdftoppm', words: ['-r', DPI, '-png', SOURCE, RESULT], paged: 'itself' },
  jpeg: { program: 'pdftoppm', words: ['-r', DPI, '-jpeg', '-jpegopt', 'quality=90', SOURCE, RESULT], paged: 'itself' },
  tiff: { program: 'pdftoppm', words: ['-r', DPI, '-tiff', '-tiffcompression', 'deflate', SOURCE, RESULT], paged: 'itself' },
  ppm: { program: 'pdftoppm', words: ['-r', DPI, SOURCE, RESULT], paged: 'itself' },
  svg: { program: 'pdftocairo', words: ['-svg', SOURCE, RESULT], paged: 'asked' },
  eps: { program: 'pdftocairo', words: ['-eps', SOURCE, RESULT], paged: 'asked' },
  ps: { program: 'pdftocairo', words: ['-ps', SOURCE, RESULT], paged: false },
  txt: { program: 'pdftotext', words: ['-layout', '-enc', 'UTF-8', '-nopgbrk', SOURCE, RESULT], paged: false },
  html: { program: 'pdftohtml', words: ['-s', '-noframes', '-dataurls', '-enc', 'UTF-8', SOURCE, RESULT], paged: false },
}

export const poppler = provider(convertVendors, {
  vendor,
  rank: 18,
  serves: ({ from, to }) => makes(POPPLER, from, to),
  run: async ({ file, from, to }, ctx) => {
    const tool = TOOLS[to]
    if (tool === undefined) throw new Fault('invalid', `Poppler makes no ${to} files here.`)
    if (tool.paged === false) return await resultOf(ctx, { source: { file, from }, files: await drawn(file, tool, [], ctx), to })
    const pages = await pagesOf(file, ctx)
    if (tool.paged === 'itself') return await resultOf(ctx, { source: { file, from }, files: await drawn(file, tool, [], ctx), to })
    const files: ScratchFile[] = []
    for (let page = 1; page <= pages; page++) {
      if (pages > 1) ctx.progress('drawing', to, page - 1, pages)
      files.push(...(await drawn(file, tool, ['-f', String(page), '-l', String(page)], ctx)))
    }
    return await resultOf(ctx, { source: { file, from }, files, to })
  },
})

async function pagesOf(file: ScratchFile, ctx: ProviderContext): Promise<number> {
  const result = await ctx.exec('pdfinfo', [SOURCE], { files: [{ name: SOURCE, data: file }], timeoutMs: 20_000 })
  assertRead(result, ctx)
  const pages = Number(/^Pages:\s+(\d+)$/m.exec(textOf(result.stdout))?.[1] ?? 0)
  if (pages === 0) throw new Fault('invalid', 'The PDF has no pages.', { loc: ['file_url'] })
  if (pages > LIMITS.pages)
    throw new Fault('invalid', `The PDF has ${pages} pages; at most ${LIMITS.pages} become pictures in one call.`, { loc: ['file_url'] })
  return pages
}

/** Files written by a program, in page order: page numbers have as many digits as the last one. */
async function drawn(file: ScratchFile, { program, words }: Tool, more: readonly string[], ctx: ProviderContext): Promise<ScratchFile[]> {
  const result = await ctx.exec(program, [...more, ...words], {
    files: [{ name: SOURCE, data: file }],
    timeoutMs: LIMITS.timeoutMs,
    memoryMb: LIMITS.memoryMb,
    diskMb: LIMITS.diskMb,
    collect: { maxFiles: LIMITS.pages, maxBytes: LIMITS.diskMb * MIB, into: 'scratch' },
  })
  assertRead(result, ctx)
  return [...result.scratchFiles].sort((one, other) => (one.name < other.name ? -1 : 1)).map(({ file: page }) => page)
}

function assertRead(result: ExecResult, ctx: ProviderContext): void {
  if (result.code === 0) return noteLosses(ctx, result.stderr, POPPLER_LOSSES)
  const locked = /password/i.test(textOf(result.stderr))
  const why = locked ? 'The PDF is protected by a password.' : 'The PDF cannot be read: it is damaged.'
  throw failureOf(result, { from: 'pdf', timeLeft: ctx.timeLeft(), why })
}

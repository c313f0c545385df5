import { Fault, type ExecResult, type ProviderContext, type ScratchFile } from '../../../../core/sdk/index.js'
import { failureOf, textOf } from '../failure.js'
import { PAGE_LIMITS, TARGETS } from './targets.js'

const SOURCE = 'source.pdf'
const MIB = 1024 * 1024
const WALL_MS = 90_000

/** Makes pictures of the pages of a PDF, a file each, or one file of the whole. Throws Fault `invalid` for one that is damaged or locked. */
export async function popplerFiles(ctx: ProviderContext, { file, to }: { file: ScratchFile; to: string }): Promise<ScratchFile[]> {
  const target = TARGETS[to]
  if (target === undefined) throw new Fault('broken', `Poppler does not make ${to}.`)
  const bounds = { files: [{ name: SOURCE, data: file }], timeoutMs: WALL_MS, memoryMb: 768, diskMb: PAGE_LIMITS.megabytes, processes: 8 }
  const info = await ctx.exec('pdfinfo', [SOURCE], { ...bounds, maxOutput: MIB })
  const pages = Number(/^Pages:\s+(\d+)/m.exec(textOf(info.stdout))?.[1] ?? 0)
  if (info.code !== 0 || pages === 0) throw refused(ctx, info)
  if (target.pages && pages > PAGE_LIMITS.pages)
    throw new Fault('invalid', `The document has ${pages} pages; pictures are made of at most ${PAGE_LIMITS.pages}.`, { loc: ['file_url'] })
  const files: ScratchFile[] = []
  // One program draws all pages, or a page at a time where it writes a single file.
  const turns = target.pages && target.each ? pages : 1
  for (let page = 1; page <= turns; page++) {
    ctx.progress('converting', to, page - 1, turns)
    const result = await ctx.exec(target.program, target.args(page, SOURCE), {
      ...bounds,
      collect: { maxFiles: PAGE_LIMITS.pages, maxBytes: PAGE_LIMITS.megabytes * MIB, into: 'scratch' },
    })
    const made = [...result.scratchFiles].sort((one, other) => (one.name < other.name ? -1 : 1)).map(({ file: each }) => each)
    if (result.code !== 0 || made.length === 0) throw refused(ctx, result)
    if (made.every(({ size }) => size === 0))
      throw new Fault('invalid', `The document has nothing to make ${to} of, such as letters.`, { loc: ['file_url'] })
    files.push(...made)
  }
  return files
}

function refused(ctx: ProviderContext, result: ExecResult): Fault {
  const why = /password|encrypted/i.test(textOf(result.stderr)) ? 'The document is protected by a password.' : null
  return failureOf(result, { from: 'pdf', timeLeft: ctx.timeLeft(), why })
}

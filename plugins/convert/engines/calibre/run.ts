import { Fault, type ProviderContext, type ScratchFile } from '../../../../core/sdk/index.js'
import { failureOf, textOf } from '../failure.js'

const MIB = 1024 * 1024
const CONVERT_MS = 110_000
const MEMORY_MB = 1_280
const DISK_MB = 512

/**
 * Qt renders without a display. Its browser engine, which creates PDF, does not start its own sandbox as the
 * sandbox's user, and needs none: ours has no network and no files. Scripts of a book are disabled in it.
 */
const ENV = {
  QT_QPA_PLATFORM: 'offscreen',
  QTWEBENGINE_CHROMIUM_FLAGS: '--no-sandbox --disable-gpu --blink-settings=scriptEnabled=false',
  // A path without a link: its reader of 7-Zip archives rejects names below a link as outside the folder.
  TMPDIR: '/job/.tmp',
  CALIBRE_CONFIG_DIRECTORY: '/job/.tmp/calibre',
}

/** Options for sources whose files may reference others: only files of the same archive. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  html: ['--max-levels=0'],
}

/** Converts one book. Throws Fault `invalid` for one that cannot be read, such as one with DRM. */
export async function calibreFile(
  ctx: ProviderContext,
  { file, from, to }: { file: ScratchFile; from: string; to: string },
): Promise<ScratchFile> {
  const [source, made] = [`source.${from}`, `result.${to}`]
  ctx.progress('converting', to)
  const result = await ctx.exec('ebook-convert', [source, made, ...(OPTIONS[from] ?? [])], {
    files: [{ name: source, data: file }],
    env: ENV,
    timeoutMs: CONVERT_MS,
    memoryMb: MEMORY_MB,
    diskMb: DISK_MB,
    processes: 96,
    collect: { maxFiles: 20, maxBytes: DISK_MB * MIB, into: 'scratch' },
  })
  const book = result.scratchFiles.find(({ name }) => name === made)?.file
  await Promise.all(result.scratchFiles.filter(({ name }) => name !== made).map(({ file: other }) => ctx.scratch.remove(other)))
  const output = `${textOf(result.stdout)}\n${textOf(result.stderr)}`
  if (result.code === 0 && book !== undefined && book.size > 0) return book
  if (/No plugin to handle|No module named/.test(output))
    throw new Fault('broken', `calibre does not make ${to} here.`, { internal: output.slice(-500) })
  const locked = /DRMError|has DRM|DRM protected|encrypted/i.test(output)
  const why = locked ? 'The book is locked to its buyer (DRM) or protected by a password.' : null
  throw failureOf(result, { from, timeLeft: ctx.timeLeft(), why })
}

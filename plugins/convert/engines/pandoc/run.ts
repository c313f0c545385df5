import { Fault, type ProviderContext, type ScratchFile } from '../../../../core/sdk/index.js'
import { noteLosses } from '../../../_vendors/losses.js'
import { PANDOC_LOSSES } from '../../../_vendors/pandoc.js'
import { failureOf, textOf } from '../failure.js'
import { command, FILTER, RESULT, SOURCE } from './command.js'
import { PICTURES } from './pictures.js'
import { sourceOf, ZIPPED } from './source.js'
import { TITLE } from './title.js'

const MIB = 1024 * 1024
const CONVERT_MS = 60_000
const MEMORY_MB = 1_024
const RESULT_MB = 256

/** pandoc's exit codes for an invalid source. */
const WORDS: ReadonlyMap<number, string> = new Map([
  [92, 'The file is not text in UTF-8.'],
  [94, 'The file is not text in UTF-8.'],
  [95, 'The file is not text.'],
  [91, 'The file defines macros that never end.'],
  [99, 'The file refers to another file or an address, which is not read.'],
  [31, 'The book names files outside of itself.'],
])

/** Converts one file with pandoc. Throws Fault `invalid` for a file that it cannot read. */
export async function pandocFile(
  ctx: ProviderContext,
  { file, from, to }: { file: ScratchFile; from: string; to: string },
): Promise<ScratchFile> {
  const words = command(from, to)
  if (words === null) throw new Fault('broken', `pandoc does not make ${to} of ${from}.`)
  ctx.progress('converting', to)
  const result = await ctx.exec('sh', words, {
    files: [
      { name: SOURCE, data: await sourceOf(ctx, { file, from }) },
      { name: FILTER, data: Buffer.from(`${PICTURES}${TITLE}`) },
    ],
    timeoutMs: CONVERT_MS,
    memoryMb: MEMORY_MB,
    diskMb: RESULT_MB,
    collect: { maxFiles: 1, maxBytes: RESULT_MB * MIB, into: 'scratch' },
  })
  const made = result.scratchFiles.find(({ name }) => name === RESULT)?.file
  if (result.code === 0 && made !== undefined && made.size > 0) {
    noteLosses(ctx, result.stderr, PANDOC_LOSSES)
    return made
  }
  if (result.code === 0) throw new Fault('invalid', `The file holds nothing that could be in a ${to} file.`, { loc: ['file_url'] })
  if (/data file|CouldNotFindDataFile/i.test(textOf(result.stderr)) && result.code === 97)
    throw new Fault('broken', 'pandoc has lost its data files.', { internal: textOf(result.stderr).slice(-500) })
  throw failureOf(result, {
    from,
    timeLeft: ctx.timeLeft(),
    why: WORDS.get(result.code) ?? (ZIPPED.includes(from) ? null : `The file cannot be read as ${from}.`),
  })
}

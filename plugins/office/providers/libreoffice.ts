import { Fault, provider, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { libreoffice as vendor } from '../../_vendors/libreoffice.js'
import { officeConvert } from '../contract.js'
import { assertExtent } from '../extent.js'
import { fittingWidth } from '../fit-width.js'
import { pairOf, type Pair } from '../formats/table.js'
import { failureOf } from '../failure.js'
import { drawsFormulas, noteFormulas } from '../formulas.js'
import { hasMacros, keepsMacros, withoutMacros } from '../macros.js'
import { conversion, resultName, soffice, sourceName, unwritten } from '../soffice.js'
import { assertPages } from '../pages.js'
import { assertRows, assertTableSize, MOST_TABLE_BYTES } from '../rows.js'
import { assertKind, encrypted, importFilter } from '../source.js'
import type { TableArgs } from '../parse/text-table.js'

const CONVERT_MS = 120_000
/** Pictures of an HTML page are separate files. */
const MOST_FILES = 200
const RESULT_BYTES = 256 * 1024 * 1024
const TEXT_TABLE = new URL('../parse/text-table.js', import.meta.url)
/** Limits of a text table, which is in memory while it is read. */
const TABLE = { maxBytes: MOST_TABLE_BYTES, memoryMb: 1_536, timeoutMs: 60_000 }
/** Intermediate format between a sheet and its PDF, so that page styles can be changed. */
const FLAT = 'fods'

export const libreoffice = provider(officeConvert, {
  vendor,
  rank: 10,
  run: async ({ file, from, to }, context) => {
    const pair = pairOf(from, to)
    const result = await made(pair, file, context)
    if (pair.reading.container === 'zip' && !drawsFormulas()) await noteFormulas(file, context)
    return { file: result }
  },
})

async function made(pair: Pair, file: ScratchFile, context: ProviderContext): Promise<ScratchFile> {
  const { from, to } = pair
  context.progress('converting', to)
  await assertRows(pair, context.scratch.read(file))
  await assertPages(pair, context.scratch.read(file))
  await assertExtent(pair, file, context)
  if (keepsMacros(pair) && (await hasMacros(pair, context.scratch.read(file)))) return await cleaned(pair, file, context)
  const plain = pair.reading.plain === 'table'
  const source = plain && file.size > 0 ? await tableOf(pair, file, context) : file
  if (!pair.sheets || to !== 'pdf') return await converted(pair, source, context)
  const flat = from === FLAT ? source : await converted(pairOf(from, FLAT), source, context)
  const fitting = await context.scratch.write(fittingWidth(context.scratch.read(flat), { bare: plain }))
  if (flat !== file) await context.scratch.remove(flat)
  try {
    return await converted(pairOf(FLAT, to), fitting, context)
  } catch (error) {
    // LibreOffice wrote this file itself, so it is valid.
    if (!Fault.is(error) || error.kind !== 'invalid') throw error
    const message = 'The sheet has more cells than can be laid out on pages: leave some out, or convert it to another form of sheet.'
    throw new Fault('invalid', message, {
      cause: error,
      loc: ['file'],
      ...(error.internal === undefined ? {} : { internal: error.internal }),
    })
  }
}

/** A text table in the form prepared for LibreOffice. Throws Fault `invalid` for one that is too large. */
async function tableOf({ from, to }: TableArgs, file: ScratchFile, context: ProviderContext): Promise<ScratchFile> {
  assertTableSize(from, file.size)
  const { file: made } = await context.parseFiles<null>(TEXT_TABLE, [file], { ...TABLE, args: { from, to } satisfies TableArgs })
  if (made === null) throw new Fault('broken', 'The table could not be written anew.')
  return made
}

/** Through a format without macros. */
async function cleaned(pair: Pair, file: ScratchFile, context: ProviderContext): Promise<ScratchFile> {
  const [first, second] = withoutMacros(pair)
  const between = await converted(first, file, context)
  try {
    return await converted(second, between, context)
  } finally {
    await context.scratch.remove(between)
  }
}

async function converted(pair: Pair, file: ScratchFile, context: ProviderContext): Promise<ScratchFile> {
  const head = await assertKind(pair, context.scratch.read(file))
  const result = await context.exec('soffice', conversion(pair, importFilter(pair, head)), {
    warm: soffice,
    files: [{ name: sourceName(pair), data: file }],
    timeoutMs: CONVERT_MS,
    collect: { maxFiles: MOST_FILES, maxBytes: RESULT_BYTES, into: 'scratch' },
  })
  const others = result.scratchFiles.filter(({ name }) => name !== resultName(pair))
  await Promise.all(others.map(({ file: other }) => context.scratch.remove(other)))
  const made = result.scratchFiles.find(({ name }) => name === resultName(pair))?.file
  if (made !== undefined && made.size > 0) return made
  if (unwritten(result))
    throw new Fault('missing', 'LibreOffice could not write the file in that form.', {
      internal: Buffer.from(result.stderr).toString().slice(-500),
    })
  const locked = pair.from === 'pdf' && (await encrypted(context.scratch.read(file)))
  throw failureOf(result, { from: pair.from, timeLeft: context.timeLeft(), why: locked ? 'The file is protected by a password.' : null })
}

import { Fault, type ProviderContext, type ScratchFile } from '../../../../core/sdk/index.js'
import { GHOSTSCRIPT_LOSSES } from '../../../_vendors/ghostscript.js'
import { noteLosses } from '../../../_vendors/losses.js'
import { failureOf, textOf } from '../failure.js'
import { DEVICES } from './devices.js'

const SOURCE = 'source'
const MIB = 1024 * 1024
const WALL_MS = 60_000
const MEMORY_MB = 512
const DISK_MB = 384
const MOST_PAGES = 300

/**
 * Runs a PostScript program in Ghostscript's safer mode, in which it can read only the source and start nothing,
 * within the sandbox, which contains nothing else. Throws Fault `invalid` for one that fails or does not end.
 */
export async function ghostscriptFiles(
  ctx: ProviderContext,
  { file, from, to }: { file: ScratchFile; from: string; to: string },
): Promise<ScratchFile[]> {
  const device = DEVICES[to]
  if (device === undefined) throw new Fault('broken', `Ghostscript does not make ${to}.`)
  ctx.progress('converting', to)
  const result = await ctx.exec(
    'gs',
    [
      ...['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dNOPROMPT', '-dEPSCrop', `-dLastPage=${String(MOST_PAGES)}`],
      ...['-r150', `-sDEVICE=${device.name}`, `-sOutputFile=${device.pages ? 'page-%04d' : 'document'}`, ...(device.args ?? []), SOURCE],
    ],
    {
      files: [{ name: SOURCE, data: file }],
      stdin: new Uint8Array(),
      timeoutMs: WALL_MS,
      memoryMb: MEMORY_MB,
      diskMb: DISK_MB,
      processes: 8,
      collect: { maxFiles: MOST_PAGES, maxBytes: DISK_MB * MIB, into: 'scratch' },
    },
  )
  const made = [...result.scratchFiles]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .filter(({ name }) => /^(page-|document$)/.test(name))
  if (result.code !== 0 || made.length === 0 || made.some(({ file: { size } }) => size === 0)) {
    const internal = `${textOf(result.stdout).slice(-300)} ${textOf(result.stderr).slice(-200)}`
    const refused = /invalidfileaccess/.test(internal)
    const why = refused ? 'The file reads or writes other files, which is not allowed.' : null
    throw failureOf({ ...result, stderr: Buffer.from(internal) }, { from, timeLeft: ctx.timeLeft(), why })
  }
  noteLosses(ctx, Buffer.concat([result.stdout, result.stderr]), GHOSTSCRIPT_LOSSES)
  return made.map(({ file: each }) => each)
}

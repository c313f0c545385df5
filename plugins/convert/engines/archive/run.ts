import { Fault, type ExecResult, type ProviderContext, type ScratchFile } from '../../../../core/sdk/index.js'
import { failureOf, textOf } from '../failure.js'
import { ARCHIVES, type ArchiveFormat } from './formats.js'
import { assertHarmless, assertNames, entriesOf } from './listing.js'

const MIB = 1024 * 1024
const WALL_MS = 90_000
const MEMORY_MB = 512
const DISK_MB = 640
/** Of a list of names. */
const MOST_LIST = 8 * MIB
const SOURCE = 'source'
const RESULT = 'result'
/** Names in other alphabets are written as they are. */
const ENV = { LC_ALL: 'C.UTF-8' }
/** What bsdtar says on the way that is no failure. */
const HARMLESS = /^bsdtar: Removing leading .*$/gm

/**
 * Puts the files of an archive into another kind, without writing any of them to the disk. Throws Fault `invalid` for an archive that is damaged,
 * locked or dangerous.
 */
export async function archiveFile(
  ctx: ProviderContext,
  { file, from, to }: { file: ScratchFile; from: string; to: string },
): Promise<ScratchFile> {
  const [source, target] = [ARCHIVES[from], ARCHIVES[to]]
  if (source === undefined || target?.write == null) throw new Fault('broken', `bsdtar does not make ${to} of ${from}.`)
  const run = async (args: readonly string[], maxOutput: number): Promise<ExecResult> =>
    await ctx.exec('bsdtar', args, { ...bounds(), files: [{ name: SOURCE, data: file }], maxOutput })
  const named = await run(['-tf', SOURCE], MOST_LIST)
  if (named.code !== 0 || named.stdoutCut) throw refused(ctx, named, from)
  assertNames(textOf(named.stdout))
  await assertKind(ctx, { file, from, format: source })
  const listed = await run(['-cf', '-', '--format=mtree', '--options=!all,type,size,link', `@${SOURCE}`], MOST_LIST)
  if (listed.code !== 0 || listed.stdoutCut) throw refused(ctx, listed, from)
  assertHarmless(entriesOf(textOf(listed.stdout)), { bytes: file.size, flat: !target.tree })
  ctx.progress('converting', to)
  return await written(ctx, { file, from, to, target })
}

interface Made {
  readonly file: ScratchFile
  readonly from: string
  readonly to: string
  readonly target: ArchiveFormat
}

async function written(ctx: ProviderContext, { file, from, to, target }: Made): Promise<ScratchFile> {
  const result = await ctx.exec('bsdtar', ['-cf', RESULT, ...(target.write ?? []), `@${SOURCE}`], {
    ...bounds(),
    files: [{ name: SOURCE, data: file }],
    collect: { maxFiles: 1, maxBytes: DISK_MB * MIB, into: 'scratch' },
  })
  const made = result.scratchFiles.find(({ name }) => name === RESULT)?.file
  if (result.code !== 0 || made === undefined || made.size === 0) throw refused(ctx, result, from)
  // A link or a name that the target cannot hold is left out with a word and code 0.
  if (textOf(result.stderr).replace(HARMLESS, '').trim() !== '')
    throw new Fault('invalid', `The archive holds files that ${to} cannot hold.`, {
      internal: textOf(result.stderr).slice(-500),
      loc: ['target_format'],
    })
  await assertKind(ctx, { file: made, from: to, format: target })
  return made
}

/** Throws Fault `invalid` when bsdtar takes a file for another kind: it looks at the bytes alone, and knows kinds that name files of the disk. */
async function assertKind(
  ctx: ProviderContext,
  { file, from, format }: { file: ScratchFile; from: string; format: ArchiveFormat },
): Promise<void> {
  const result = await ctx.exec('bsdtar', ['-tvvvf', SOURCE], { ...bounds(), files: [{ name: SOURCE, data: file }], maxOutput: MOST_LIST })
  const [, name = '', packed = ''] =
    /^Archive Format: (.*), {2}Compression: (.*)$/m.exec(textOf(result.stdout).trimEnd().split('\n').at(-1) ?? '') ?? []
  if (result.code !== 0) throw refused(ctx, result, from)
  if (!format.names.some((start) => name.startsWith(start)) || packed !== format.packed)
    throw new Fault('invalid', `The file is no ${from} archive.`, { internal: `${name}, ${packed}`, loc: ['source_format'] })
}

function bounds() {
  return { env: ENV, timeoutMs: WALL_MS, memoryMb: MEMORY_MB, diskMb: DISK_MB, processes: 8, stdin: new Uint8Array() }
}

function refused(ctx: ProviderContext, result: ExecResult, from: string): Fault {
  const output = textOf(result.stderr.subarray(0, 2_000))
  // What bsdtar says of a file that it cannot decrypt when nobody answers its question.
  const why = /passphrase|encrypt|^bsdtar: \(null\)$/im.test(output)
    ? 'The archive is protected by a password, or damaged.'
    : `The archive is damaged, or is no ${from} archive.`
  return failureOf({ ...result, stderr: result.stderr.subarray(0, 500) }, { from, timeLeft: ctx.timeLeft(), why })
}

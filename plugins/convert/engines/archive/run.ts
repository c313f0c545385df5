import { Fault, type ExecResult, type ProviderContext, type ScratchFile } from '../../../../core/sdk/index.js'
import { failureOf, textOf } from '../failure.js'
import { codePageOf } from './code-page.js'
import { ARCHIVES, type ArchiveFormat } from './formats.js'
import { assertHarmless, assertNames, entriesOf, namesOf } from './listing.js'

const MIB = 1024 * 1024
const WALL_MS = 90_000
const MEMORY_MB = 512
const DISK_MB = 640
/** Maximum bytes of a list of names. */
const MOST_LIST = 8 * MIB
const SOURCE = 'source'
const RESULT = 'result'
/** Names in other alphabets are printed unescaped. */
const ENV = { LC_ALL: 'C.UTF-8' }
/** Kinds whose names may be in an undeclared code page. */
const OF_CODE_PAGES: readonly string[] = ['zip', 'lha']
/** Messages of bsdtar that are not failures. */
const HARMLESS = /^bsdtar: Removing leading .*$/gm

/**
 * Repacks the files of an archive into another kind, without writing any of them to disk. Throws Fault `invalid` for
 * an archive that is damaged, encrypted or dangerous.
 */
export async function archiveFile(
  ctx: ProviderContext,
  { file, from, to }: { file: ScratchFile; from: string; to: string },
): Promise<ScratchFile> {
  const [source, target] = [ARCHIVES[from], ARCHIVES[to]]
  if (source === undefined || target?.write == null) throw new Fault('broken', `bsdtar does not make ${to} of ${from}.`)
  const listing = async (args: readonly string[], env: Env): Promise<string> => {
    const result = await ctx.exec('bsdtar', args, { ...bounds(env), files: [{ name: SOURCE, data: file }], maxOutput: MOST_LIST })
    if (result.code !== 0 || result.stdoutCut) throw refused(ctx, result, from)
    return textOf(result.stdout)
  }
  const names = namesOf(await listing(['-tf', SOURCE], ENV))
  assertNames(names)
  await assertKind(ctx, { file, from, format: source })
  const codePage = OF_CODE_PAGES.includes(from) ? codePageOf(names) : null
  // bsdtar 3.6 takes reader options only from the environment when it also writes an archive (tar/write.c).
  const env = codePage === null ? ENV : { ...ENV, TAR_READER_OPTIONS: `hdrcharset=${codePage.id}` }
  if (codePage !== null) assertNames(namesOf(await listing(['-tf', SOURCE], env)))
  const listed = await listing(['-cf', '-', '--format=mtree', '--options=!all,type,size,link', `@${SOURCE}`], env)
  assertHarmless(entriesOf(listed), { bytes: file.size, flat: !target.tree })
  ctx.progress('converting', to)
  const made = await written(ctx, { file, from, to, target, env })
  if (codePage !== null)
    ctx.note(`The archive does not say which letters its names are in: they were read as ${codePage.title} (${codePage.id}).`)
  return made
}

type Env = Readonly<Record<string, string>>

interface Made {
  readonly file: ScratchFile
  readonly from: string
  readonly to: string
  readonly target: ArchiveFormat
  readonly env: Env
}

async function written(ctx: ProviderContext, { file, from, to, target, env }: Made): Promise<ScratchFile> {
  const result = await ctx.exec('bsdtar', ['-cf', RESULT, ...(target.write ?? []), `@${SOURCE}`], {
    ...bounds(env),
    files: [{ name: SOURCE, data: file }],
    collect: { maxFiles: 1, maxBytes: DISK_MB * MIB, into: 'scratch' },
  })
  const made = result.scratchFiles.find(({ name }) => name === RESULT)?.file
  if (result.code !== 0 || made === undefined || made.size === 0) throw refused(ctx, result, from)
  // A link or name that the target does not support is left out with a message and exit code 0.
  if (textOf(result.stderr).replace(HARMLESS, '').trim() !== '')
    throw new Fault('invalid', `The archive holds files that ${to} cannot hold.`, {
      internal: textOf(result.stderr).slice(-500),
      loc: ['target_format'],
    })
  await assertKind(ctx, { file: made, from: to, format: target })
  return made
}

/** Throws Fault `invalid` when bsdtar detects another kind: it looks only at the bytes, and supports kinds that read files of the disk. */
async function assertKind(
  ctx: ProviderContext,
  { file, from, format }: { file: ScratchFile; from: string; format: ArchiveFormat },
): Promise<void> {
  const result = await ctx.exec('bsdtar', ['-tvvvf', SOURCE], {
    ...bounds(ENV),
    files: [{ name: SOURCE, data: file }],
    maxOutput: MOST_LIST,
  })
  const [, name = '', packed = ''] =
    /^Archive Format: (.*), {2}Compression: (.*)$/m.exec(textOf(result.stdout).trimEnd().split('\n').at(-1) ?? '') ?? []
  if (result.code !== 0) throw refused(ctx, result, from)
  if (!format.names.some((start) => name.startsWith(start)) || packed !== format.packed)
    throw new Fault('invalid', `The file is no ${from} archive.`, { internal: `${name}, ${packed}`, loc: ['source_format'] })
}

function bounds(env: Env) {
  return { env, timeoutMs: WALL_MS, memoryMb: MEMORY_MB, diskMb: DISK_MB, processes: 8, stdin: new Uint8Array() }
}

function refused(ctx: ProviderContext, result: ExecResult, from: string): Fault {
  const output = textOf(result.stderr.subarray(0, 2_000))
  // bsdtar's messages for an encrypted file when its prompt is not answered.
  const why = /passphrase|encrypt|^bsdtar: \(null\)$/im.test(output)
    ? 'The archive is protected by a password, or damaged.'
    : `The archive is damaged, or is no ${from} archive.`
  return failureOf({ ...result, stderr: result.stderr.subarray(0, 500) }, { from, timeLeft: ctx.timeLeft(), why })
}

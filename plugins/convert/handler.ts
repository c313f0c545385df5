import { atField } from '../_shared/at-field.js'
import { Fault, handle, parseUrl, type HandlerContext, type ScratchFile } from '../../core/sdk/index.js'
import { convertVendors, filesConvert } from './contract.js'
import { anyEngine, live } from './engines.js'
import { formatOf } from './formats/find.js'
import { FORMATS } from './formats/table.js'
import type { Format } from './formats/format.js'
import { baseName, resultName } from './names.js'
import { pathsOf, type Can, type Path } from './plan.js'
import { assertSource } from './source.js'
import { zipped } from './zipped.js'

const MOST_BYTES = 512 * 1024 * 1024
/** Most paths tried in turn. */
const MOST_PATHS = 3
/** Most formats named by a refusal. */
const MOST_NAMED = 20
/**
 * Fault kinds after which another path is tried. A vendor that refused the account, or is busy, would be called
 * again.
 */
const OF_THE_FILE: readonly string[] = ['missing', 'blocked', 'broken']
/** Most pages that go through a second step. */
const MOST_PAGES = 100

export const convert = handle(filesConvert, async ({ file_url, source_format, target_format }, ctx) => {
  const [from, to] = [known(source_format), known(target_format)]
  const paths = waysOf(from, to, live(ctx.providers(convertVendors).filter(({ suspended }) => !suspended)))
  const source = await atField(ctx.scratch.fetch(file_url, { maxBytes: MOST_BYTES }), { loc: ['file_url'], what: 'the file at file_url' })
  await assertSource(from, source, ctx)
  const base = baseName(parseUrl(file_url)?.pathname ?? '', from)
  const { files, cost } = await firstOf(paths, { source, base }, ctx)
  const [only, ...more] = files
  if (only === undefined) throw new Fault('broken', 'The conversion returned no file.')
  const made = more.length === 0 ? only : await zipped(ctx, files, (at) => resultName(base, to, at))
  const name = resultName(base, to, more.length === 0 ? null : 'zip')
  const stored = await ctx.scratch.store(made, { name, contentType: more.length === 0 ? to.mime : 'application/zip' })
  return {
    file_name: name,
    file_size: stored.size,
    file_url: stored.url,
    conversion_cost: cost,
    source_format: from.id,
    target_format: to.id,
  }
})

function known(name: string): Format {
  const format = formatOf(name)
  if (format === null) throw new Fault('invalid', `There is no format ${JSON.stringify(name)}.`)
  return format
}

/**
 * Paths over available engines; if there are none, paths over unavailable engines, which the core names in its
 * answer. Throws Fault `invalid` for a pair that no engine has.
 */
function waysOf(from: Format, to: Format, now: Can): Path[] {
  if (from.id === to.id) throw new Fault('invalid', `The file is ${to.id} already.`, { loc: ['target_format'] })
  for (const can of [now, anyEngine]) {
    const paths = pathsOf(from.id, to.id, can)
    if (paths.length > 0) return paths.slice(0, MOST_PATHS)
  }
  const becomes = FORMATS.filter(({ id }) => pathsOf(from.id, id, now).length > 0).map(({ id }) => id)
  const more = becomes.length > MOST_NAMED ? ` and others: GET /v1/files/formats?source=${from.id} lists all` : ''
  const can =
    becomes.length === 0 ? `Nothing can be made of ${from.id} here.` : `It can become ${becomes.slice(0, MOST_NAMED).join(', ')}${more}.`
  throw new Fault('invalid', `A ${from.id} file cannot be made into ${to.id}. ${can}`, { loc: ['target_format'] })
}

interface Source {
  readonly source: ScratchFile
  readonly base: string
}

interface Made {
  readonly files: readonly ScratchFile[]
  readonly cost: number
}

/**
 * The result of the first successful path. A fault of the source itself or a program timeout ends the search; a fault
 * of an intermediate file does not.
 */
async function firstOf(paths: readonly Path[], source: Source, ctx: HandlerContext): Promise<Made> {
  let failure: unknown = null
  for (const path of paths) {
    try {
      return await along(path, source, ctx)
    } catch (error) {
      if (!Fault.is(error) || !OF_THE_FILE.includes(error.kind) || error.final) throw error
      failure ??= error
    }
  }
  throw failure
}

async function along([first, second]: Path, { source, base }: Source, ctx: HandlerContext): Promise<Made> {
  const ask = async (file: ScratchFile, { from, to }: Path[0]): Promise<Made> =>
    await ctx.call(convertVendors, { file, from, to, name: `${base}.${from}` })
  const made = await ask(source, first)
  if (second === undefined) return made
  if (made.files.length > MOST_PAGES)
    throw new Fault('missing', `The file has ${made.files.length} pages; at most ${MOST_PAGES} become ${second.to} files in one call.`)
  const files: ScratchFile[] = []
  let { cost } = made
  try {
    for (const [at, file] of made.files.entries()) {
      if (made.files.length > 1) ctx.progress('converting', second.to, at, made.files.length)
      const next = await ask(file, second).catch((error: unknown) => {
        throw Fault.is(error) && error.kind === 'invalid'
          ? new Fault('missing', error.message, { cause: error, costly: error.costly })
          : error
      })
      files.push(...next.files)
      cost += next.cost
    }
  } catch (error) {
    await Promise.all(files.map((file) => ctx.scratch.remove(file)))
    throw error
  } finally {
    await Promise.all(made.files.map((file) => ctx.scratch.remove(file)))
  }
  return { files, cost }
}

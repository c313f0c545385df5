import { Fault, type ProviderContext, type ScratchFile } from '../../../core/sdk/index.js'
import { pictureBlank } from '../../picture/contract.js'
import { convertLosses } from '../contract.js'
import { formatOf } from '../formats/find.js'
import { lossNotes } from './notes.js'
import type { Losses } from './parse/compare.js'
import { comparedResult, comparedSource, isText, ofOneSheet } from './parse/formats.js'

/** A conversion whose files have the right format. */
export interface Conversion {
  readonly file: ScratchFile
  readonly from: string
  readonly files: readonly ScratchFile[]
  readonly to: string
}

type Context = Pick<ProviderContext, 'call' | 'has' | 'note' | 'log' | 'scratch'>

const PICTURES: readonly string[] = ['png', 'jpeg', 'webp']
/** A browser leaves out content hidden by styles, which is not a loss. */
const STYLED = 'html'
/** Larger sources are not compared: it would take seconds. */
const MOST_BYTES = 32 * 1024 * 1024

interface Inspection {
  readonly pages: number
  readonly blank: readonly number[]
  readonly text: ScratchFile | null
}

/**
 * Compares a result with its source, for every engine. Missing parts become notes. Throws a Fault of this kind, so
 * that the next engine is tried, when all pages are blank although the source has text, and when more than half of
 * the words are missing.
 */
export async function assertKept(ctx: Context, conversion: Conversion, kind: 'missing' | 'broken'): Promise<void> {
  const { file, from, to, files } = conversion
  if (!comparedSource(from) || file.size > MOST_BYTES || !ctx.has(convertLosses)) return
  const drawn = to === 'pdf' || (from === STYLED && PICTURES.includes(to))
  if (!drawn && !comparedResult(to) && !ofOneSheet(to) && !isText(to)) return
  const look = drawn ? await inspect(ctx, conversion) : null
  if (drawn && look === null) return
  const results = look === null ? (comparedResult(to) ? files : []) : look.text === null ? [] : [look.text]
  const result = results.length === 0 ? null : look === null ? to : 'txt'
  const losses = await attempt(ctx, ctx.call(convertLosses, { file, from, to, results: [...results], result }))
  if (look?.text) await ctx.scratch.remove(look.text)
  if (losses === null) return
  if (look !== null && losses.words > 0 && look.pages === look.blank.length)
    throw new Fault(kind, `The ${formatOf(to)?.id ?? to} file is blank, though the ${from} file has text.`)
  if (losses.missing * 2 > losses.words)
    throw new Fault(kind, `The conversion to ${to} lost ${losses.missing} of the ${losses.words} words of the file.`)
  for (const note of [...blankNotes(look, losses), ...lossNotes(losses)]) ctx.note(note)
}

async function inspect(ctx: Context, { from, files: [file, ...more], to }: Conversion): Promise<Inspection | null> {
  if (file === undefined || more.length > 0 || !ctx.has(pictureBlank)) return null
  const text = to === 'pdf' && from !== STYLED
  return await attempt(ctx, ctx.call(pictureBlank, { file, format: to === 'pdf' ? 'pdf' : 'picture', text }))
}

/** Null and a log line for a file that cannot be inspected: that proves nothing about the conversion. */
async function attempt<T>(ctx: Context, look: Promise<T>): Promise<T | null> {
  try {
    return await look
  } catch (error) {
    if (!Fault.is(error)) throw error
    ctx.log('conversion not compared', { why: error.message })
    return null
  }
}

/**
 * A note on blank pages, when there are more than the source may have. A source with only pictures may be blank too:
 * that is a note, not a failure.
 */
function blankNotes(look: Inspection | null, { breaks, words, pictures }: Losses): string[] {
  const blank = look?.blank ?? []
  const empty = words === 0 && (pictures ?? 0) === 0
  if (breaks === null || blank.length <= breaks || empty) return []
  const pages = new Intl.ListFormat('en').format(blank.map(String))
  return [blank.length === 1 ? `Page ${pages} of the result is blank.` : `Pages ${pages} of the result are blank.`]
}

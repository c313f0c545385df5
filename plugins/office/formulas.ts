import { existsSync } from 'node:fs'
import { Fault, type ProviderContext, type ScratchFile } from '../../core/sdk/index.js'
import { FORMULAS } from '../_vendors/libreoffice.js'

const COUNT = new URL('./parse/formulas.js', import.meta.url)
const LIMITS = { timeoutMs: 20_000, memoryMb: 1_024 }

/** Whether LibreOffice can draw formulas. Otherwise they are missing in every result, without a message. */
export function drawsFormulas(paths: readonly string[] = FORMULAS.paths): boolean {
  return paths.every((path) => existsSync(path))
}

/**
 * Notes that the formulas of a document are missing in its result, because the package that draws them is not
 * installed.
 */
export async function noteFormulas(file: ScratchFile, context: Pick<ProviderContext, 'parse' | 'note'>): Promise<void> {
  const count = await countOf(file, context)
  if (count === 0) return
  const what = count === null ? 'Formulas, if the document has any,' : count === 1 ? 'One formula' : `${count} formulas`
  context.note(
    `${what} ${count === 1 ? 'was' : 'were'} left out: the package ${FORMULAS.packages}, which draws them, is not installed here.`,
  )
}

/** Null when the archive cannot be read. */
async function countOf(file: ScratchFile, context: Pick<ProviderContext, 'parse'>): Promise<number | null> {
  try {
    return await context.parse<number>(COUNT, file, LIMITS)
  } catch (error) {
    if (!Fault.is(error) || !['invalid', 'blocked', 'broken'].includes(error.kind)) throw error
    return null
  }
}

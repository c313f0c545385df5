import { Fault } from '../../../core/sdk/index.js'
import { DRAWINGS, GRAPHICS, PICTURES } from './drawings.js'
import { SHEETS } from './sheets.js'
import { SLIDES } from './slides.js'
import { PDF_TEXTS, TEXTS } from './texts.js'
import type { Group, Reading, Writing } from './types.js'

const GROUPS: readonly Group[] = [TEXTS, SHEETS, SLIDES, DRAWINGS, GRAPHICS, PICTURES, PDF_TEXTS]

/** How a pair is converted. */
export interface Pair {
  readonly from: string
  readonly to: string
  readonly reading: Reading
  readonly writing: Writing
  readonly sheets: boolean
}

/** Supported sources and their targets. */
export function pairs(): { readonly from: readonly string[]; readonly to: readonly string[] }[] {
  return GROUPS.map(({ sources, targets }) => ({ from: Object.keys(sources), to: Object.keys(targets) }))
}

/** Throws Fault `invalid` for an unsupported pair. */
export function pairOf(from: string, to: string): Pair {
  const group = GROUPS.find(({ sources }) => sources[from] !== undefined)
  const reading = group?.sources[from]
  if (group === undefined || reading === undefined)
    throw new Fault('invalid', `LibreOffice reads no ${from} files here.`, { loc: ['from'] })
  const writing = group.targets[to]
  if (writing === undefined) throw new Fault('invalid', `A ${from} file cannot be made into ${to}.`, { loc: ['to'] })
  return { from, to, reading, writing, sheets: group.sheets === true }
}

import { MARKUP, REFERENCES } from '../engines/pandoc/formats.js'
import type { Pairs } from './pairs.js'

const read = Object.keys(MARKUP).filter((id) => MARKUP[id]?.read !== undefined)
const written = Object.keys(MARKUP).filter((id) => MARKUP[id]?.write !== undefined)

/** Lists of references become documents; documents hold none that could be taken out of them. */
export const PANDOC: Pairs = {
  vendor: 'pandoc',
  groups: [
    { from: read, to: written.filter((id) => !REFERENCES.includes(id)) },
    { from: REFERENCES, to: REFERENCES },
  ],
}

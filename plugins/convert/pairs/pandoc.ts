import { MARKUP, REFERENCES } from '../engines/pandoc/formats.js'
import type { Pairs } from './pairs.js'

const read = Object.keys(MARKUP).filter((id) => MARKUP[id]?.read !== undefined)
const written = Object.keys(MARKUP).filter((id) => MARKUP[id]?.write !== undefined)

/** Reference lists become documents; they cannot be extracted from documents. */
export const PANDOC: Pairs = {
  vendor: 'pandoc',
  groups: [
    { from: read, to: written.filter((id) => !REFERENCES.includes(id)) },
    { from: REFERENCES, to: REFERENCES },
  ],
}

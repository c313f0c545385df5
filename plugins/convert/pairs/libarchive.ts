import { ARCHIVES } from '../engines/archive/formats.js'
import type { Pairs } from './pairs.js'

export const LIBARCHIVE: Pairs = {
  vendor: 'libarchive',
  groups: [{ from: Object.keys(ARCHIVES), to: Object.keys(ARCHIVES).filter((id) => ARCHIVES[id]?.write !== null) }],
}

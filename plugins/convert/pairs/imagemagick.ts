import { PICTURES } from '../engines/imagemagick/formats.js'
import type { Pairs } from './pairs.js'

export const IMAGEMAGICK: Pairs = {
  vendor: 'imagemagick',
  groups: [{ from: Object.keys(PICTURES), to: Object.keys(PICTURES).filter((id) => PICTURES[id]?.writes !== false) }],
}

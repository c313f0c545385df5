import { ARCHIVES } from './archives.js'
import { AUDIO } from './audio.js'
import { DOCUMENTS } from './documents.js'
import { DRAWINGS } from './drawings.js'
import { EBOOKS } from './ebooks.js'
import type { Format } from './format.js'
import { MARKUP } from './markup.js'
import { PAGES } from './pages.js'
import { PICTURES } from './pictures.js'
import { RASTERS } from './rasters.js'
import { SHEETS } from './sheets.js'
import { SLIDES } from './slides.js'
import { SUBTITLES } from './subtitles.js'
import { VIDEO } from './video.js'

/** All formats, each once. */
export const FORMATS: readonly Format[] = [
  ...[...DOCUMENTS, ...PAGES, ...MARKUP, ...SHEETS, ...SLIDES, ...DRAWINGS, ...EBOOKS],
  ...[...PICTURES, ...RASTERS, ...AUDIO, ...VIDEO, ...SUBTITLES, ...ARCHIVES],
]

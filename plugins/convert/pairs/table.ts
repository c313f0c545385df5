import { CALIBRE } from './calibre.js'
import { CHROMIUM } from './chromium.js'
import { CLOUDCONVERT } from './cloudconvert.js'
import { CONVERTAPI } from './convertapi.js'
import { FFMPEG } from './ffmpeg.js'
import { GHOSTSCRIPT } from './ghostscript.js'
import { GOTENBERG } from './gotenberg.js'
import { IMAGEMAGICK } from './imagemagick.js'
import { LIBARCHIVE } from './libarchive.js'
import { LIBREOFFICE } from './libreoffice.js'
import { engineOf, type Engine } from './pairs.js'
import { PANDOC } from './pandoc.js'
import { POPPLER } from './poppler.js'
import { SHARP } from './sharp.js'
import { TABLES } from './tables.js'

/** The pairs of every engine of this plugin. */
export const ENGINES: readonly Engine[] = [
  ...[TABLES, CHROMIUM, SHARP, IMAGEMAGICK, LIBREOFFICE, PANDOC, FFMPEG, POPPLER, GHOSTSCRIPT, CALIBRE, LIBARCHIVE],
  ...[GOTENBERG, CLOUDCONVERT, CONVERTAPI],
].map(engineOf)

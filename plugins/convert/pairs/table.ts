import { CALIBRE } from './calibre.js'
import { CLOUDCONVERT } from './cloudconvert.js'
import { CONVERTAPI } from './convertapi.js'
import { FFMPEG } from './ffmpeg.js'
import { GOTENBERG } from './gotenberg.js'
import { IMAGEMAGICK } from './imagemagick.js'
import { LIBREOFFICE } from './libreoffice.js'
import { PANDOC } from './pandoc.js'
import type { Pairs } from './pairs.js'
import { SHARP } from './sharp.js'

/** The pairs of every engine of this plugin. */
export const ENGINES: readonly Pairs[] = [LIBREOFFICE, PANDOC, FFMPEG, SHARP, IMAGEMAGICK, CALIBRE, GOTENBERG, CLOUDCONVERT, CONVERTAPI]

import { vendor } from '../../core/sdk/index.js'
import type { Loss } from './losses.js'

/** The predefined character maps of fonts for Chinese, Japanese and Korean (https://poppler.freedesktop.org/). */
export const popplerData = { packages: 'poppler-data', paths: ['/usr/share/poppler/cMap/Adobe-Japan1/UniJIS-UTF16-H'] } as const

/** Messages of poppler 22 to 25 (poppler/GfxFont.cc, CMap.cc, SplashOutputDev.cc, Stream.cc). */
export const POPPLER_LOSSES: readonly Loss[] = [
  {
    sign: /Missing language pack for|Couldn't find '[^']{1,80}' CMap file|Unknown CMap '/,
    message:
      'The PDF has text that needs character maps which are not installed here (Debian package poppler-data): without them it is lost.',
    refused: true,
  },
  {
    sign: /No font in show|Couldn't find a font for|Couldn't create a font for/,
    message: 'Some text of the PDF was left out: its font cannot be read.',
  },
  {
    sign: /Unknown filter '|Unknown compression method in flate stream|Bad image parameters/,
    message: 'Some pictures of the PDF were left out: they cannot be unpacked.',
  },
]

/** Poppler on this machine, which renders pages of PDF files and extracts their text. */
export const poppler = vendor({
  id: 'poppler',
  title: 'Poppler (local)',
  home: 'https://poppler.freedesktop.org/',
  programs: {
    pdftoppm: 'poppler-utils',
    pdftocairo: 'poppler-utils',
    pdftotext: 'poppler-utils',
    pdftohtml: 'poppler-utils',
    pdfinfo: 'poppler-utils',
    sh: 'dash',
    bwrap: 'bubblewrap',
  },
  extras: { 'Chinese, Japanese and Korean in pages of PDF files that are drawn': popplerData },
})

import { vendor } from '../../core/sdk/index.js'

/** The predefined character maps of fonts for Chinese, Japanese and Korean (https://poppler.freedesktop.org/). */
export const popplerData = { packages: 'poppler-data', paths: ['/usr/share/poppler/cMap/Adobe-Japan1/UniJIS-UTF16-H'] } as const

/** Poppler of this machine, which draws pages of PDF files and takes their text. */
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
    bwrap: 'bubblewrap',
  },
  extras: { 'Chinese, Japanese and Korean in pages of PDF files that are drawn': popplerData },
})

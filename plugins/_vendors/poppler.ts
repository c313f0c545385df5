import { vendor } from '../../core/sdk/index.js'

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
})

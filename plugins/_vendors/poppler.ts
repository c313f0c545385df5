import { vendor } from '../../core/sdk/index.js'

/** Poppler of this machine, which draws pages of PDF files. */
export const poppler = vendor({
  id: 'poppler',
  title: 'Poppler (local)',
  home: 'https://poppler.freedesktop.org/',
  programs: {
    pdftoppm: 'poppler-utils',
    pdfinfo: 'poppler-utils',
    pdftocairo: 'poppler-utils',
    pdftotext: 'poppler-utils',
    pdftohtml: 'poppler-utils',
    bwrap: 'bubblewrap',
  },
})

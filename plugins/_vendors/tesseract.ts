import { vendor } from '../../core/sdk/index.js'

/** Tesseract on this machine; poppler renders the pages of a PDF. */
export const tesseract = vendor({
  id: 'tesseract',
  title: 'Tesseract (local)',
  home: 'https://tesseract-ocr.github.io/tessdoc/',
  programs: { tesseract: 'tesseract-ocr', bwrap: 'bubblewrap' },
  optionalPrograms: { pdftoppm: 'poppler-utils', pdfinfo: 'poppler-utils' },
})

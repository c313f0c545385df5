import { vendor } from '../../core/sdk/index.js'
import { popplerData } from './poppler.js'

/** The bundled libraries that read documents, in the sandbox. */
export const reader = vendor({
  id: 'reader',
  title: 'Document reader (built in)',
  programs: { bwrap: 'bubblewrap' },
  extras: { 'Chinese, Japanese and Korean in PDF files that are read': popplerData },
})

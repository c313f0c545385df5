import { vendor } from '../../core/sdk/index.js'
import type { Loss } from './losses.js'

/** Messages of Ghostscript 10 (Resource/Init/gs_cidfn.ps, psi/zfile.c, pdf/pdf_warnings.h). */
export const GHOSTSCRIPT_LOSSES: readonly Loss[] = [
  { sign: /The page may be incomplete|Output may be incorrect/, message: 'The file has errors: its pages may be incomplete.' },
  {
    sign: /Can't find CID font|Can't find \(or can't open\) font file/,
    message: 'Some text may be missing: its font is not installed here.',
  },
]

/** Ghostscript on this machine. */
export const ghostscript = vendor({
  id: 'ghostscript',
  title: 'Ghostscript (local)',
  home: 'https://ghostscript.readthedocs.io/',
  programs: { gs: 'ghostscript', bwrap: 'bubblewrap' },
})

import { vendor } from '../../core/sdk/index.js'

/** LibreOffice's component for drawing formulas. */
export const FORMULAS = { packages: 'libreoffice-math-nogui', paths: ['/usr/lib/libreoffice/program/libsmlo.so'] }

/** LibreOffice on this machine. */
export const libreoffice = vendor({
  id: 'libreoffice',
  title: 'LibreOffice (local)',
  home: 'https://help.libreoffice.org/latest/en-US/text/shared/guide/start_parameters.html',
  programs: {
    soffice: 'libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-draw-nogui',
    bwrap: 'bubblewrap',
  },
  extras: { 'formulas in documents': FORMULAS },
})

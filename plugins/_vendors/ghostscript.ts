import { vendor } from '../../core/sdk/index.js'

/** Ghostscript of this machine. */
export const ghostscript = vendor({
  id: 'ghostscript',
  title: 'Ghostscript (local)',
  home: 'https://ghostscript.readthedocs.io/',
  programs: { gs: 'ghostscript', bwrap: 'bubblewrap' },
})

import { vendor } from '../../core/sdk/index.js'

/**
 * Piper, the operator's own program with own voices; there is no Debian package. The C++ program and the Python one
 * are run the same way.
 */
export const piper = vendor({
  id: 'piper',
  title: 'Piper (local)',
  home: 'https://github.com/OHF-Voice/piper1-gpl',
  programs: { piper: 'from github.com/OHF-Voice/piper1-gpl', bwrap: 'bubblewrap' },
})

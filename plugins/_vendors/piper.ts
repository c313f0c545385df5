import { vendor } from '../../core/sdk/index.js'

/** Piper, a program of the operator's own with voices of his own; no Debian package has it. Both its forms, the C++ program and the Python one, are run alike. */
export const piper = vendor({
  id: 'piper',
  title: 'Piper (local)',
  home: 'https://github.com/OHF-Voice/piper1-gpl',
  programs: { piper: 'from github.com/OHF-Voice/piper1-gpl', bwrap: 'bubblewrap' },
})

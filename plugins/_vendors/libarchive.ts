import { vendor } from '../../core/sdk/index.js'

/** libarchive's bsdtar on this machine. */
export const libarchive = vendor({
  id: 'libarchive',
  title: 'libarchive (local)',
  home: 'https://www.libarchive.org/',
  programs: { bsdtar: 'libarchive-tools', bwrap: 'bubblewrap' },
})

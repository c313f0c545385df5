import { vendor } from '../../core/sdk/index.js'

/** bsdtar of this machine, libarchive's program. */
export const libarchive = vendor({
  id: 'libarchive',
  title: 'libarchive (local)',
  home: 'https://www.libarchive.org/',
  programs: { bsdtar: 'libarchive-tools', bwrap: 'bubblewrap' },
})

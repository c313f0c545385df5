import { vendor } from '../../core/sdk/index.js'

/** ImageMagick 6 of this machine, by the names that Debian gives its programs. */
export const imagemagick = vendor({
  id: 'imagemagick',
  title: 'ImageMagick 6 (local)',
  home: 'https://imagemagick.org/script/command-line-processing.php',
  programs: { 'convert-im6.q16': 'imagemagick', 'identify-im6.q16': 'imagemagick', bwrap: 'bubblewrap' },
})

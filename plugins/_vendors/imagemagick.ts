import { vendor } from '../../core/sdk/index.js'

/** ImageMagick 6 on this machine, under Debian's program names. */
export const imagemagick = vendor({
  id: 'imagemagick',
  title: 'ImageMagick 6 (local)',
  home: 'https://imagemagick.org/script/command-line-processing.php',
  programs: { 'convert-im6.q16': 'imagemagick', 'identify-im6.q16': 'imagemagick', bwrap: 'bubblewrap' },
})

import { vendor } from '../../core/sdk/index.js'

/** sharp with its bundled libvips, installed with this gateway; it runs only in the sandbox. */
export const sharp = vendor({
  id: 'sharp',
  title: 'sharp (local)',
  home: 'https://sharp.pixelplumbing.com',
  programs: { bwrap: 'bubblewrap' },
})

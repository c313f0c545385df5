import { vendor } from '../../core/sdk/index.js'

/** sharp with its own libvips, installed with this gateway; it runs in the sandbox alone. */
export const sharp = vendor({
  id: 'sharp',
  title: 'sharp (local)',
  home: 'https://sharp.pixelplumbing.com',
  programs: { bwrap: 'bubblewrap' },
})

import { vendor } from '../../core/sdk/index.js'

/** Recorded sounds, where Debian's package puts them. */
export const SAMPLE_FOLDER = '/usr/share/sonic-pi/samples'

/** Recorded sounds of this machine. */
export const samples = vendor({
  id: 'samples',
  title: 'Recorded sounds (local)',
  programs: { ffmpeg: 'ffmpeg', bwrap: 'bubblewrap' },
  extras: { 'recorded sounds': { packages: 'sonic-pi-samples', paths: [SAMPLE_FOLDER] } },
})
